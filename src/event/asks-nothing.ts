/** What may stand beside or below a word that the action answers, and asks nothing. All else may be a request. */

export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Words of thanks and of politeness: no row of them asks for anything. */
export const COURTESY = wordSet(
  'please pls plz kindly thank thanks thankyou thx ty tia cheers you so very much many a lot in advance and ' +
    'now asap sorry cc regards kind best can could would bitte danke merci s il te vous plaît plait svp ' +
    'gracias por per favor favore obrigado obrigada grazie alsjeblieft bedankt tack proszę dziękuję lütfen ' +
    'пожалуйста спасибо お願いします ください ありがとう 请 請 谢谢 謝謝 부탁합니다 감사합니다',
)

/** Up to four words, without a sign that could begin another clause. */
const DEVICE = String.raw`[\p{L}\p{N}+'’-]+(?: [\p{L}\p{N}+'’-]+){0,3}\.?`
const APPLE = '(?:iPhone|iPad)'
const urlAt = (start: string): string => String.raw`https?://${start}[^\s)"<>]*`
const linkTo = (name: string, start: string): string => String.raw`\[${name}\]\(${urlAt(start)}\)`
const OUTLOOK = 'Outlook for (?:iOS|Android)'

/** Whole lines that programs add, by the name of who does. */
export const FOOTERS: Readonly<Record<string, string>> = {
  // https://github.com/crisp-oss/email-reply-parser/blob/00452a76/lib/regex.ts
  'phone, en': `Sent from my ${DEVICE}`,
  'phone, de': `Von meinem ${DEVICE} gesendet`,
  'phone, fr': `Envoyé (?:de|depuis) mon ${DEVICE}`,
  'phone, es': `Enviado desde mi ${DEVICE}`,
  'phone, nl': `(?:Verstuurd|Verzonden) vanaf mijn ${DEVICE}`,
  'phone, da': `Sendt fra min ${DEVICE}`,
  // The signature that Apple Mail has in these languages.
  'phone, sv': `Skickat från min ${APPLE}`,
  'phone, pt': `Enviado do meu ${APPLE}`,
  'phone, it': `Inviato da ${APPLE}`,
  'phone, ru': `Отправлено с ${APPLE}`,
  'phone, ja': `${APPLE}から送信`,
  'phone, zh': `发自我的 ?${APPLE}`,
  // https://github.com/google/omaha/issues/437
  Outlook: `Get (?:${OUTLOOK}(?: ?<${urlAt('aka\\.ms/')}>)?|${linkTo(OUTLOOK, 'aka\\.ms/')})`,
  // https://github.com/k0shk0sh/FastHub/issues/555
  FastHub: `_Sent from my ${DEVICE} using ${linkTo('FastHub', 'play\\.google\\.com/')}_`,
  // https://github.com/GitHawkApp/GitHawk/issues/2623
  GitHawk: '<sub>Sent with <a href="http://githawk\\.com">GitHawk</a></sub>',
  // https://github.com/marcelofarias/escuela-js/issues/14
  CodeStream: `<su[bp]>Created from [\\p{L} ]{2,30} using ${linkTo('CodeStream', 'codestream\\.com/')}</su[bp]>`,
  // https://github.com/adrianharabula/condr/pull/163#issuecomment-305562276
  Reviewable: `\\*Comments from ${linkTo('Reviewable', 'reviewable\\.io[:/]')}\\*`,
  // https://github.com/anthropics/claude-code/issues/14241, https://github.com/stijnvanhulle/template/pull/127
  'Claude Code':
    `(?:🤖 )?_?Generated (?:with|by) ${linkTo('Claude Code', 'claude\\.(?:ai|com)/')}_?` +
    '|Co-Authored-By: Claude(?: [\\w.-]{1,12}){0,3} <noreply@anthropic\\.com>',
}
const FOOTER = new RegExp(`^\\s*(?:${Object.values(FOOTERS).join('|')})\\s*$`, 'iu')

/** https://www.rfc-editor.org/rfc/rfc3676#section-4.3 */
const SIGNATURE = /^-- (?:\n|$)/m
const NO_WORDS = /@[\w-]+(?:\/[\w-]+)?|:[a-z\d_+-]+:/gi

/** In lower case, without mentions and `:emoji:`. */
export const wordsIn = (text: string): readonly string[] =>
  text
    .replace(NO_WORDS, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/**
 * Takes the lines that programs add out of a text.
 * @returns `signature`: whether a signature with words went, which is its writer's own
 */
export function withoutFooters(text: string): { readonly text: string; readonly signature: boolean } {
  const at = SIGNATURE.exec(text)?.index ?? text.length
  const own = text.slice(0, at).split('\n')
  return {
    text: own.filter((line) => !FOOTER.test(line)).join('\n'),
    signature: wordsIn(text.slice(at)).length > 0,
  }
}

/** Nothing in the text asks for anything. */
export const holdsNoRequest = (text: string): boolean =>
  wordsIn(withoutFooters(text).text).every((word) => COURTESY.has(word))
