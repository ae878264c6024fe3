/** What of a comment the command does not take: what a mail client put at its end, and the person's own lines below that. */
export type CommentPart = 'signature' | 'quoted-mail' | 'text-below'

/** Stands where the request quotes, and leads to the fence. @param n counted from 1 */
const quotationNote = (n: number): string => `[Quotation ${n} stands in the reference material below.]`

interface Reading {
  /** Whether the words may begin below empty and quoted lines. */
  readonly passesOver?: boolean
  /** How many quotations came before this text. */
  readonly quotedBefore?: number
}

/**
 * Reads a comment, also one that came by mail. Quoted lines leave the request, a signature and a mail that is quoted to the
 * end go; nothing that stands in a code block of its own does.
 */
export function readOwnWords(body: string, { passesOver = true, quotedBefore = 0 }: Reading = {}) {
  const lines = body.replace(/\r\n?/g, '\n').split('\n')
  const code = codeLines(lines)
  const isCode = (at: number) => code.has(at)
  const isOthers = (at: number) => !isCode(at) && isQuoted(lines[at] ?? '')
  const isNoWord = (at: number) => isOthers(at) || isBlank(lines[at] ?? '')
  const first = passesOver ? firstOwn(lines, isNoWord) : 0
  const mail = quotedMailIn(lines, first + 1, isCode) ?? lines.length
  const signature = signatureIn(lines, first + 1, isCode) ?? lines.length
  let end = Math.min(mail, signature)
  const cut = new Set<CommentPart>()
  if (signature < mail) cut.add('signature')
  if (mail < lines.length) cut.add('quoted-mail')
  // Where a mail ends without marks, nothing tells whose lines follow.
  const below = Math.max(mail, lines.findLastIndex(isQuoted)) + 1
  const rest = lines.slice(below, signatureIn(lines, below, isCode))
  const isAnswered = rest.some((line) => !isBlank(line) && !isOfDevice(line))
  if (isQuoted(lines[below - 1] ?? '') && isAnswered) cut.add('text-below')
  const withoutEnd = () => {
    while (end > first && isNoWord(end - 1)) end--
  }
  const quoted = end
  withoutEnd()
  const standsAlone = end - 1 === first + 1 || isBlank(lines[end - 2] ?? '')
  if (end > first + 1 && standsAlone && !isCode(end - 1) && isOfDevice(lines[end - 1] ?? '')) {
    cut.add('signature')
    end--
    withoutEnd()
  }
  const quotations: string[] = []
  const text: string[] = []
  for (let at = 0; at < quoted; at++) {
    const line = lines[at] ?? ''
    if (isOthers(at)) {
      const goesOn = at > 0 && isOthers(at - 1)
      if (goesOn) quotations.push(`${quotations.pop()}\n${line}`)
      else quotations.push(line)
      if (!goesOn && at > first && at < end) {
        if (!isBlank(lines[at - 1] ?? '')) text.push('')
        text.push(quotationNote(quotedBefore + quotations.length))
      }
    } else if (at >= first && at < end) {
      if (at > first && isOthers(at - 1) && !isBlank(line)) text.push('')
      text.push(line)
    }
  }
  return {
    /** The person's own lines, as they are written, with a note in the place of a quotation. */
    text: text.join('\n'),
    /** The Markdown of each quotation, with its `>`: somebody else's words. */
    quotations,
    /** What the person's mail client added, and went; and the person's own lines below it, which went along. */
    cut: [...cut],
  }
}

/** The first line that is neither empty nor quoted, nor says whose words the quoted ones are. */
function firstOwn(lines: readonly string[], isNoWord: (at: number) => boolean): number {
  let first = 0
  while (first < lines.length) {
    if (isNoWord(first)) first++
    else {
      const below = afterAttribution(lines, first)
      if (below === undefined) return first
      first = below
    }
  }
  return first
}

/** The lines of fenced code blocks. One without an end is none: a mail could stand below it. */
function codeLines(lines: readonly string[]): ReadonlySet<number> {
  const code = new Set<number>()
  /** By the character: no fence of this length is closed any more. */
  const open = new Map<string, number>()
  for (let at = 0; at < lines.length; at++) {
    const [, fence = ''] = /^\s*(`{3,}(?=[^`]*$)|~{3,})/.exec(lines[at] ?? '') ?? []
    const sign = fence.charAt(0)
    if (fence === '' || fence.length >= (open.get(sign) ?? Number.POSITIVE_INFINITY)) continue
    const closing = new RegExp(`^\\s*${sign}{${fence.length},}\\s*$`)
    let end = at + 1
    while (end < lines.length && !closing.test(lines[end] ?? '')) end++
    if (end === lines.length) open.set(sign, fence.length)
    else {
      for (let index = at; index <= end; index++) code.add(index)
      at = end
    }
  }
  return code
}

// What mail clients put around the words of a person who answers by mail. GitHub shows the reply as a comment, signature
// and quoted mail included, and masks addresses as `***@***.***`. Libraries for this were no choice: email-reply-parser cuts
// within code, takes minutes for some texts without the native `re2`, and knows neither Outlook's block nor Japanese.

const isQuoted = (line: string): boolean => /^\s*>/.test(line)
const isBlank = (line: string): boolean => line.trim() === ''

/** "wrote", before or behind the name. Languages as Gmail, Apple Mail, Outlook and Thunderbird have them. */
const WROTE = new RegExp(
  [
    String.raw`\b(?:wrote|writes|sent|schrieb|schreef|skrev|skreiv|kirjoitti|napsal\(?a?\)?|p[ií]še|pisze|a scris|va escriure)`,
    String.raw`(?:a|à)\s+écrit|escribió|escreveu|ha\s+scritto|napisał(?:\(a\)|a)?|yazdı|írta|έγραψε|đã viết|menulis`,
    String.raw`(?:на)?писа(?:л|ла|л\(а\)|в|ла\(в\))|пишет|כתב|كتب|写道|寫道|のメッセージ|書きました|さんは書|작성|написа`,
  ].join('|'),
  'iu',
)
const ADDRESS = /\S@\S/
const DATE = /\d{1,2}\s?[:.h時시]\s?\d{2}|\b(?:19|20)\d{2}\b|\d{4}\s?[年년]|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/u

/** Enough for a line that wraps at the date, the name and the address. */
const MOST_LINES = 3
const MOST_CHARACTERS = 400

/** Marks that a reader sees around such a line, and those that turn its direction. */
const FRAME = /^[\s\p{Cf}*_-]+|[\s\p{Cf}*_]+$/gu

/**
 * Where the line begins that says whose mail follows, such as `On Tue, Nov 24, 2026 at 10:02 mallory wrote:`, if it ends
 * here; undefined where it does not. Three things mark it: the date, the address, and the word for "wrote".
 * @param from the first line that can be part of it
 */
function attributionEndingAt(lines: readonly string[], end: number, from: number): number | undefined {
  const whole = lines[end] ?? ''
  if (whole.length > MOST_CHARACTERS) return undefined
  const last = whole.replace(FRAME, '')
  const isZoho = /^-{2,}.*-{2,}$/.test(whole.trim())
  if (!isZoho && !/[:：]$/u.test(last)) return undefined
  let [start, most, text] = [end, 0, '']
  for (let at = end; at >= Math.max(from, end - MOST_LINES + 1); at--) {
    const line = lines[at] ?? ''
    text = `${line} ${text}`
    if (isBlank(line) || isQuoted(line) || text.length > MOST_CHARACTERS) break
    const marks = marksOf(text)
    // A line above that adds none is the person's own.
    if (marks > most) [start, most] = [at, marks]
  }
  if (most < 2) return undefined
  const below = shownBelow(lines, end)
  // Without a quotation it takes more to tell it from a sentence.
  return most === 3 || isZoho || below === undefined || isQuoted(below) ? start : undefined
}

/** The next line that is not empty. */
function shownBelow(lines: readonly string[], at: number): string | undefined {
  let below = at + 1
  while (below < lines.length && isBlank(lines[below] ?? '')) below++
  return lines[below]
}

const marksOf = (text: string): number => [WROTE, ADDRESS, DATE].filter((mark) => mark.test(text)).length

/** Labels of the block that Outlook, iOS and others put above a mail, in their languages, by `|`. */
const LABELS = {
  from: `from|von|de|da|van|från|fra|od|от|від|lähettäjä|kimden|feladó|από|từ|من|מאת|dari|
    差出人|送信者|发件人|寄件者|寄件人|보낸 사람|보낸사람`,
  date: `sent|date|gesendet|datum|envoyé|enviado|enviado el|enviada em|fecha|data|inviato|data invio|verzonden|skickat|
    sendt|dato|wysłano|odesláno|отправлено|надіслано|дата|lähetetty|päivämäärä|gönderildi|tarih|elküldve|dátum|trimis|
    ημερομηνία|التاريخ|תאריך|tanggal|送信日時|日付|日時|发送时间|日期|寄件日期|傳送時間|보낸 날짜|날짜`,
  to: `to|cc|an|à|para|a|aan|till|til|do|komu|кому|vastaanottaja|kime|címzett|προς|către|إلى|אל|kepada|kopie|kopi|
    宛先|收件人|收件者|받는 사람|받는사람`,
  subject: `subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|temat|předmět|тема|aihe|konu|tárgy|θέμα|
    subiect|الموضوع|נושא|perihal|件名|主题|主旨|主題|제목`,
}
const FIELDS: ReadonlyMap<string, string> = new Map(
  Object.entries(LABELS).flatMap(([field, labels]) =>
    labels.split(/\|\s*/).map((label) => [label, field] as const),
  ),
)

const fieldOf = (line = ''): string | undefined => {
  const [, label] = /^[\s\p{Cf}*]*([\p{L}\p{M}][\p{L}\p{M} ]{0,20}?)\s*\**\s*[:：]/u.exec(line) ?? []
  return label === undefined ? undefined : FIELDS.get(label.toLowerCase())
}

/** `From:` with two more labels in the lines below it: long lists of addresses wrap. */
function isHeaderBlock(lines: readonly string[], at: number): boolean {
  if (fieldOf(lines[at]) !== 'from') return false
  const fields = new Set(lines.slice(at, at + 7).map(fieldOf))
  fields.delete(undefined)
  return fields.size >= 3
}

/** `-----Original Message-----`, `---------- Forwarded message ---------`, … */
const DIVIDER =
  /^\s*-{2,}\s?[^-]*(?:message|nachricht|mensaje|mensagem|messaggio|bericht|meddelande|meddelelse|melding|besked|wiadomość|zpráva|сообщение|письмо|viesti|ileti|メッセージ|邮件|郵件|메시지)[^-]*-{2,}\s*$/iu
/** A rule above a block of labels, or above GitHub's own last lines. */
const RULE = /^\s*(?:[_-]{2,}|—)\s*$/u
/** GitHub's own last lines of a mail. */
const FOOTER = /^\s*Reply to this email directly\b/

/** Where the mail that is quoted to the end begins, its first line: `undefined` where there is none. */
function quotedMailIn(
  lines: readonly string[],
  from: number,
  isCode: (at: number) => boolean,
): number | undefined {
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (isCode(at) || isBlank(line) || isQuoted(line) || line.length > MOST_CHARACTERS) continue
    const attribution = attributionEndingAt(lines, at, from)
    if (attribution !== undefined) return attribution
    if (DIVIDER.test(line)) return at
    if (FOOTER.test(line) || isHeaderBlock(lines, at)) {
      const above = lines.slice(from, at).findLastIndex((one) => !isBlank(one))
      return above >= 0 && RULE.test(lines[from + above] ?? '') ? from + above : at
    }
  }
  return undefined
}

/** The line below an attribution at the very beginning, whose answer stands below its quotation; undefined for none. */
function afterAttribution(lines: readonly string[], at: number): number | undefined {
  for (let end = at; end < at + MOST_LINES; end++) {
    const isAbove = isQuoted(shownBelow(lines, end) ?? '')
    if (isAbove && attributionEndingAt(lines, end, at) === at) return end + 1
  }
  return undefined
}

/** Longer than that, and it is no signature. */
const SIGNATURE_LINES = 10

/** Where a signature begins: at `-- `, or at a bare `--` or `—` that stands alone near the end. */
function signatureIn(
  lines: readonly string[],
  from: number,
  isCode: (at: number) => boolean,
): number | undefined {
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (isCode(at)) continue
    if (/^--[ \u00a0]$/.test(line)) return at
    // Below a line of text, `--` makes a heading of it.
    if (!/^(?:--|—|–)\s*$/u.test(line) || !isBlank(lines[at - 1] ?? '')) continue
    const below = lines.slice(at + 1, at + 2 + SIGNATURE_LINES).filter((one) => !isBlank(one))
    if (lines.length - at <= SIGNATURE_LINES || below.some(isQuoted)) return at
  }
  return undefined
}

/** `Sent from my iPhone`, and what others write there. */
const DEVICE = new RegExp(
  [
    '^Sent (?:from|with|via|using) .{1,80}$|^Get Outlook .{1,80}$',
    '^Gesendet (?:von|mit|aus) .{1,80}$|^Von mein.{1,60}gesendet[.]?$|^Diese Nachricht wurde .{1,80}gesendet[.]?$',
    '^Envoyée? (?:de|depuis|à partir|avec|via) .{1,80}$|^(?:Télécharger|Obtenir) Outlook .{1,80}$',
    '^Enviad[oa] (?:desde|do|da|de|a partir|com|con|pelo|via) .{1,80}$|^(?:Obtener|Obter|Baixar) (?:o )?Outlook .{1,80}$',
    '^Outlook (?:für|pour|para|per|voor) .{1,80}$|^Inviato (?:da|dal|con|tramite) .{1,80}$',
    '^(?:Verstuurd|Verzonden) (?:vanaf|met|via) .{1,80}$|^(?:Skickat|Sendt) (?:från|fra|med) .{1,80}$',
    '^Wysłan[oe] (?:z|ze|za) .{1,80}$|^(?:Отправлено|Надіслано) (?:с|со|из|з|через) .{1,80}$',
    '^Lähetetty .{1,80}$|^Odesláno .{1,80}$|^.{1,40}(?:gönderildi|から送信)[.]?$',
    '^(?:发自|發自|从我的|從我的|傳送自).{1,60}$|^.{1,40}에서 보냄[.]?$',
  ].join('|'),
  'u',
)

const isOfDevice = (line: string): boolean =>
  line.length <= MOST_CHARACTERS && DEVICE.test(line.replace(FRAME, ''))
