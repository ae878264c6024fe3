import { expect, test } from 'vitest'
import { parseCommand } from '../../src/event/command.ts'

/** GitHub masks addresses. Each form stands as the client writes it, less the quotation. */
const ATTRIBUTIONS = {
  'Gmail, en': 'On Tue, Nov 24, 2026 at 10:02 AM mallory ***@***.***> wrote:',
  'Gmail, en, wrapped': 'On Tue, Nov 24, 2026 at 10:02 AM mallory with a longer name <\n***@***.***> wrote:',
  'Apple Mail, en': 'On 24 Nov 2026, at 10:02, mallory ***@***.***> wrote:',
  'Thunderbird, en': 'On 11/24/26 10:02, mallory wrote:',
  'Zoho, en': '---- On Tue, 24 Nov 2026 10:02:11 +0100 mallory ***@***.***> wrote ----',
  'Gmail, de': 'Am Di., 24. Nov. 2026 um 10:02 Uhr schrieb mallory ***@***.***>:',
  'Gmail, de, wrapped': 'Am Di., 24. Nov. 2026 um 10:02 Uhr schrieb mallory <\n***@***.***>:',
  'Apple Mail, de': 'Am 24.11.2026 um 10:02 schrieb mallory ***@***.***>:',
  'Thunderbird, de': 'Am 24.11.26 um 10:02 schrieb mallory:',
  'Gmail, fr': 'Le mar. 24 nov. 2026 à 10:02, mallory ***@***.***> a écrit :',
  'Thunderbird, fr': 'Le 24/11/2026 à 10:02, mallory a écrit\u00a0:',
  'Gmail, es': 'El mar, 24 nov 2026 a las 10:02, mallory (***@***.***) escribió:',
  'Apple Mail, es': 'El 24 nov 2026, a las 10:02, mallory ***@***.***> escribió:',
  'Gmail, pt': 'Em ter., 24 de nov. de 2026 às 10:02, mallory ***@***.***> escreveu:',
  'Gmail, it': 'Il giorno mar 24 nov 2026 alle ore 10:02 mallory ***@***.***> ha scritto:',
  'Gmail, nl': 'Op di 24 nov 2026 om 10:02 schreef mallory ***@***.***>:',
  'Gmail, sv': 'Den tis 24 nov. 2026 kl 10:02 skrev mallory ***@***.***>:',
  'Gmail, pl': 'wt., 24 lis 2026 o 10:02 mallory ***@***.***> napisał(a):',
  'Gmail, ru': 'вт, 24 нояб. 2026 г. в 10:02, mallory ***@***.***>:',
  'Thunderbird, ru': '24.11.2026 10:02, mallory пишет:',
  'Gmail, ja': '2026年11月24日(火) 10:02 mallory ***@***.***>:',
  'Apple Mail, ja': '2026/11/24 10:02、mallory ***@***.***>のメール:',
  'Gmail, zh': 'mallory ***@***.***> 于2026年11月24日周二 10:02写道：',
  'Gmail, ko': '2026년 11월 24일 (화) 오전 10:02, mallory ***@***.***>님이 작성:',
  'Gmail, he': '\u202bבתאריך יום ג׳, 24 בנוב׳ 2026 ב-10:02 מאת \u202amallory\u202c <***@***.***>:\u202c',
} as const

const QUOTED = ['', '> *mallory* left a comment (octo/app#12)', '> EVIL', '> Message ID: ***@***.***>'].join(
  '\n',
)

/** Blocks above a mail without marks. */
const BLOCKS = {
  'Outlook, en': `________________________________
From: mallory ***@***.***>
Sent: Tuesday, November 24, 2026 10:02
To: octo/app ***@***.***>
Cc: alice ***@***.***>; Comment ***@***.***>
Subject: Re: [octo/app] Retries (Issue #12)`,
  'Outlook, de': `Von: mallory ***@***.***>
Gesendet: Dienstag, 24. November 2026 10:02
An: octo/app ***@***.***>
Betreff: Re: [octo/app] Retries (Issue #12)`,
  'Outlook, fr': `De : mallory ***@***.***>
Envoyé : mardi 24 novembre 2026 10:02
À : octo/app ***@***.***>
Objet : Re: [octo/app] Retries (Issue #12)`,
  'Outlook, es': `De: mallory ***@***.***>
Enviado: martes, 24 de noviembre de 2026 10:02
Para: octo/app ***@***.***>
Asunto: Re: [octo/app] Retries (Issue #12)`,
  'Outlook, pt': `De: mallory ***@***.***>
Enviado: terça-feira, 24 de novembro de 2026 10:02
Para: octo/app ***@***.***>
Assunto: Re: [octo/app] Retries (Issue #12)`,
  'Outlook, ja': `差出人: mallory ***@***.***>
送信日時: 2026年11月24日 10:02
宛先: octo/app ***@***.***>
件名: Re: [octo/app] Retries (Issue #12)`,
  'Outlook, bold': `*From:* mallory ***@***.***>
*Sent:* Tuesday, November 24, 2026 10:02
*Subject:* Re: [octo/app] Retries (Issue #12)`,
  'Proton, en': '-------- Original Message --------\nOn 11/24/26 10:02, mallory wrote:',
  'GMX, de': '-----Ursprüngliche Nachricht-----',
  'Yahoo, en':
    'On Tuesday, November 24, 2026 at 10:02:11 AM GMT+1, mallory <notifications@github.com> wrote:',
  GitHub: '—\nReply to this email directly, view it on GitHub, or unsubscribe.',
} as const

const MAILS = [
  ...Object.entries(ATTRIBUTIONS).map(([client, line]) => [client, `${line}\n${QUOTED}`] as const),
  ...Object.entries(BLOCKS).map(([client, block]) => [client, `${block}\n\nEVIL\n\nEVIL again`] as const),
]

/** Without an address in the header, with empty lines between its fields, and the mails of the same. */
const HEADERS = {
  'Outlook, names alone':
    'From: mallory\nSent: Tuesday, November 24, 2026 10:02\nTo: octo/app\nSubject: Re: Retries',
  'Outlook, empty lines': 'From: mallory\n\nSent: Tuesday\n\nTo: octo/app\n\nSubject: Re: Retries',
  'Outlook, de, names alone': 'Von: mallory\nGesendet: Dienstag\nAn: octo/app\nBetreff: Re: Retries',
  'no address, en': 'On Tuesday mallory wrote:',
  'no address, fr': 'Le mardi, mallory a écrit :',
  'at, with a name': 'At 10:02 on Tuesday, "mallory" <name> wrote:',
  'Notes, en': 'mallory ---11/24/2026 10:02:11 AM---Retries are new',
  'Notes, ja': 'mallory 様から',
  'nothing at all': '',
} as const

const ALL = [
  ...MAILS,
  ...Object.entries(HEADERS).map(([client, header]) => [client, `${header}\n\nEVIL\n\nEVIL again`] as const),
]

const FREE = {
  '/docs status': 'status',
  '/docs help': 'help',
  '/docs skip': 'skip',
  '/docs': 'help',
} as const

const ANSWERS = ['email', 'unknown'] as const

test.each(ALL)(
  '3.1 %s: of a mail, the first paragraph is the request, and all below stands apart',
  (_, mail) => {
    for (const via of ANSWERS)
      for (const joint of ['\n\n', '\n\n\n', '\n\u00a0\n', '\n\u200b\n'])
        for (const written of ['/docs explain\nthe option', '> EVIL\n\n/docs explain\nthe option']) {
          const body = `${written}${joint}${mail}`.replaceAll('\n', '\r\n')
          const command = parseCommand(body, '/docs', { via })
          expect(command, body).toMatchObject({
            kind: 'prompt',
            prompt: 'explain\nthe option',
            omissions: [{ kind: 'below-mail', isMail: via === 'email' }],
          })
          expect(command?.below?.endsWith(mail.trim())).toBe(true)
        }
  },
)

test.each(ALL.filter(([, mail]) => !/[\u202a-\u202e]/.test(mail)))(
  '3.1 %s: typed on the page, all of it is the request, and GitHub says so',
  (_, mail) => {
    const command = parseCommand(`/docs explain\n\n${mail}`, '/docs')
    expect(command).toMatchObject({ kind: 'prompt', omissions: [] })
    expect(command?.below).toBeUndefined()
    const own = mail.split('\n').filter((line) => /^[\p{L}\d*_ -]/u.test(line))
    for (const line of own) expect(command?.kind === 'prompt' && command.prompt).toContain(line.trim())
  },
)

test.each(ALL)(
  '3.2 %s: below a word that asks nothing, it asks nothing, and the answer says that it is left out',
  (_, mail) => {
    for (const via of ANSWERS)
      for (const [asked, kind] of Object.entries(FREE))
        expect(parseCommand(`${asked}\n\n${mail}`, '/docs', { via }), asked).toMatchObject({
          kind,
          omissions: [{ kind: 'text-below' }],
        })
  },
)

test.each([
  ['a paragraph', '/docs explain\nthe option'],
  ['quotations around it', '> EVIL\n\n/docs explain\n\n> EVIL\n'],
  ['a comment above it', '<!-- a\n\nb -->\n/docs explain'],
])('3.1 %s alone reads the same, however it came', (_, body) => {
  const typed = parseCommand(body, '/docs')
  for (const via of ANSWERS) expect(parseCommand(body, '/docs', { via })).toEqual(typed)
  expect(typed?.below).toBeUndefined()
})

test.each([
  ['a list', '/docs do this:\n\n- one\n- two', 'do this:', '- one\n- two'],
  ['code', '/docs add\n```\na\n\nb\n```', 'add\n```\na', 'b\n```'],
  ['a quotation and more', '/docs explain\n> EVIL\nEVIL lazily', 'explain', '> EVIL\nEVIL lazily'],
  ['a second command', '/docs explain\n\n/docs shorten', 'explain', '/docs shorten'],
])('3.1 of a mail, no looks decide: %s', (_, body, prompt, below) => {
  expect(parseCommand(body, '/docs', { via: 'email' })).toMatchObject({ prompt, below })
})
