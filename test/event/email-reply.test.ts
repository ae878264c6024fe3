import { expect, test } from 'vitest'
import { parseCommand } from '../../src/event/command.ts'
import { processorMs } from '../helpers/processor-time.ts'

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

const FREE = {
  '/docs status': 'status',
  '/docs help': 'help',
  '/docs skip': 'skip',
  '/docs': 'help',
} as const

const asMail = { via: 'email' } as const
const cutFrom = (from: string) => [{ kind: 'mail-end', from }]

test.each(MAILS)('3.1 %s: of a mail, what it quotes goes, and is named', (_, mail) => {
  for (const joint of ['\n\n', '\n', '\n\n\n']) {
    for (const body of [
      `/docs explain${joint}${mail}`,
      `/docs explain${joint}${mail}`.replaceAll('\n', '\r\n'),
    ]) {
      const command = parseCommand(body, '/docs', asMail)
      const [from = ''] = mail.split('\n')
      expect(command, body).toEqual(
        expect.objectContaining({ kind: 'prompt', prompt: 'explain', omissions: cutFrom(from) }),
      )
    }
    for (const [asked, kind] of Object.entries(FREE))
      expect(parseCommand(`${asked}${joint}${mail}`, '/docs', asMail), asked).toMatchObject({
        kind,
        quotations: [],
      })
  }
})

test.each(Object.entries(ATTRIBUTIONS).filter(([client]) => !client.startsWith('Zoho')))(
  '3.1 %s: an answer below the quotation counts',
  (_, line) => {
    const command = parseCommand(`${line}\n${QUOTED}\n\n/docs explain\n`, '/docs')
    expect(command).toMatchObject({ kind: 'prompt', prompt: 'explain', omissions: [] })
    expect(command?.quotations.join('\n')).toContain('EVIL')
  },
)

test.each(['-- \nAlice Example\nDocs', '--\nAlice Example', '—\nAlice'])(
  '3.1 the signature %j of a mail goes, also with a mail below it',
  (signature) => {
    const mail = `${ATTRIBUTIONS['Gmail, en']}\n${QUOTED}`
    for (const [asked, kind] of [...Object.entries(FREE), ['/docs explain\n\nthe option', 'prompt']]) {
      for (const body of [`${asked}\n\n${signature}\n`, `${asked}\r\n\r\n${signature}\r\n\r\n${mail}`]) {
        const command = parseCommand(body, '/docs', asMail)
        expect(command).toMatchObject({ kind, omissions: cutFrom(signature.split('\n')[0] ?? '') })
        expect(JSON.stringify(command)).not.toMatch(/Alice|EVIL/)
      }
    }
  },
)

/** mailgun/talon#129, cyclestreets/cyclescape#728, github/email_reply_parser#17 */
const LIKE_MAIL = [
  'add a table:\n\nfrom: the sender\nto: the recipients\nsubject: the title\n\nand say more',
  'explain this log:\n2026-11-02 10:04 mailer@example.com sent:\nstatus=ok',
  'document this\nALTER TABLE a;\n-- \nALTER TABLE b;',
  'document\n-----BEGIN PGP SIGNED MESSAGE-----\nand its end',
  'document\n\n- ```\n  From: a@b.c\n  To: b\n  Subject: c\n  ```\n- more',
]

/** `git format-patch`, pasted. */
const PATCH = [
  'From 3f7ee400755822a22c41aa470afb6df5fc30b044 Mon Sep 17 00:00:00 2001',
  'From: Bob <bob@example.com>\nDate: Tue, 24 Nov 2026 10:02:11 +0100\nSubject: [PATCH] Add retries\n',
  '---\n src/retry.ts | 2 +-\n\n-- \n2.39.5',
].join('\n')

test.each([
  ...LIKE_MAIL,
  ...Object.values(BLOCKS),
  `apply this:\n\n${PATCH}`,
  '-- \nAlice',
  'the app\n\nSent from my iPhone',
])('3.1 typed on the page, %j is all a request', (text) => {
  const all = { kind: 'prompt', prompt: text, omissions: [] }
  expect(parseCommand(`/docs ${text}`, '/docs')).toMatchObject(all)
})

const NOTE = '[Quotation 1 stands in the reference material below.]'

test.each([
  ...MAILS,
  ['a log', '2026-11-02 10:04 mailer@example.com sent:\nstatus=ok'] as const,
  ['SQL', '-- \nALTER TABLE b;'] as const,
  ['a patch', PATCH.slice(PATCH.indexOf('From: '))] as const,
])(
  '4.2 %s: where GitHub does not say how it came, it stands in the fence, and a note in its place',
  (_, mail) => {
    const command = parseCommand(`/docs explain\n\n${mail}`, '/docs', { via: 'unknown' })
    expect(command).toMatchObject({ kind: 'prompt', prompt: `explain\n\n${NOTE}`, omissions: [] })
    expect(command?.quotations).toEqual([mail])
    for (const [asked, kind] of Object.entries(FREE))
      expect(parseCommand(`${asked}\n\n${mail}`, '/docs', { via: 'unknown' }), asked).toMatchObject({ kind })
  },
)

const PHONES = [
  'Sent from my iPhone',
  'Sent from my phone',
  'Von meinem iPhone gesendet',
  'Von meinem Handy gesendet',
  'Envoyé de mon téléphone',
  'Enviado desde mi móvil',
  'Inviato da smartphone Samsung Galaxy.',
  'Отправлено с iPhone',
  'iPhoneから送信',
  '发自我的手机',
  'Get [Outlook for iOS](https://aka.ms/o0ukef)',
  'Sent from Yahoo Mail on Android',
]

test.each(PHONES)('3.2 %j below the command of a mail is no request, and no reason', (line) => {
  const typed = parseCommand(`/docs\n\n${line}`, '/docs')
  expect(typed).toMatchObject({ kind: 'prompt', prompt: line })
  for (const via of ['email', 'unknown'] as const) {
    const read = (body: string) => parseCommand(`${body}\r\n\r\n${line}\r\n`, '/docs', { via })
    expect(read('/docs')).toMatchObject({ kind: 'help', fresh: false, omissions: [] })
    expect(read('/docs new')).toMatchObject({ kind: 'help', fresh: true, omissions: [] })
    expect(read('/docs status')).toMatchObject({ kind: 'status', omissions: [] })
    expect(read('/docs skip')).toMatchObject({ kind: 'skip', why: '' })
    expect(read('/docs skip because only tests change')).toMatchObject({ why: 'only tests change' })
    // It may be the person's own.
    expect(read('/docs explain')).toMatchObject({ prompt: `explain\n\n${line}`, omissions: [] })
  }
})

test.each(['Explain retries.', 'fix the typo', 'Erklär die Option.'])(
  '3.1 %j below the command of a mail is a request',
  (line) => expect(parseCommand(`/docs\n\n${line}`, '/docs', asMail)).toMatchObject({ prompt: line }),
)

test.each([
  'fix this:\n\n```\n-- \nfoo\n> bar\nOn 24.11.2026 10:02, a@b.c wrote:\n> z\n```\nand then more',
  'fix\n\n~~~mail\nFrom: a@b.c\nSent: b\nTo: c\nSubject: d\n~~~',
  'fix\n\n- a list\n\n  ```\n  > kept\n  ```',
  'fix\n\n- ```\n  From: a@b.c\n  To: b\n  Subject: c\n  > kept\n  ```\n- more',
  'fix\n\n1. ~~~~\n   ~~~\n   -- \n   > kept\n   ~~~~\n\nand more',
  'write about `From:` and `Subject:`\n\nFrom: is the sender.\nTo: is who gets it.',
  'explain what changed on 24.11.2026 at 10:02:\n\n- retries',
  'add a list\n- one\n- two\n\n---\n\nend',
  'On this page, the author wrote:\nfoo bar baz',
  'say where it is\nsent with each request',
])('3.1 %j is all a request, also in a mail', (text) => {
  const all = { kind: 'prompt', prompt: text, quotations: [], omissions: [] }
  expect(parseCommand(`/docs ${text}`, '/docs', asMail)).toMatchObject(all)
  expect(parseCommand(`/docs ${text}`.replaceAll('\n', '\r\n'), '/docs', asMail)).toMatchObject(all)
})

test('3.1 a code block that nothing closes keeps no mail in the request', () => {
  const { 'Gmail, en': line } = ATTRIBUTIONS
  const body = `/docs fix\n\n\`\`\`\nfoo\n\n${line}\n${QUOTED}\n> \`\`\``
  const read = { prompt: 'fix\n\n```\nfoo', omissions: cutFrom(line) }
  expect(parseCommand(body, '/docs', asMail)).toMatchObject(read)
})

test.each([
  // In each, GitHub's page shows a quotation, although lines that look like fences stand around it.
  '- ```\n  x\n> EVIL\n  ```',
  '    ```\n\n> EVIL\n\n    ```',
  '<!--\n\n```\n-->\n\n> EVIL\n\n<!--\n\n```\n-->',
  '  ```\n      ```\n  ```\n\n  > EVIL\n\n  ```',
  '<details>\n```\n\n> EVIL\n\n```',
  '```\n> EVIL',
  '```\n    ```\nx\n```\n\n> EVIL\n\n```\ny\n```',
])('4.2 in %j the quotation stands in the fence', (text) => {
  const command = parseCommand(`/docs fix\n\n${text}`, '/docs')
  expect(command).toMatchObject({ kind: 'prompt' })
  expect(JSON.stringify({ ...command, quotations: [] })).not.toContain('EVIL')
  expect(command?.quotations.join()).toContain('EVIL')
})

test('4.2 quotations in between leave a note, and those around the request none', () => {
  const body = '> first\n> line\n\n/docs explain\n> second\nand\n\n> third\n\nmore\n\n> last'
  expect(parseCommand(body, '/docs')).toMatchObject({
    prompt: [
      'explain',
      '[Quotation 2 stands in the reference material below.]',
      'and',
      '[Quotation 3 stands in the reference material below.]',
      'more',
    ].join('\n\n'),
    quotations: ['> first\n> line', '> second', '> third', '> last'],
  })
})

test.each(['> /docs explain', '> a\n> b', '> /docs explain\n\nThanks', '> a\n\nsee /docs explain'])(
  '3.1 %j is no command',
  (body) => expect(parseCommand(body, '/docs')).toBeUndefined(),
)

test.each([
  '> **✅ Done** for @alice.\n> Review it there.\n\n/docs explain',
  '\n/docs explain',
  '> a\n/docs explain',
])('3.4 %j is a command of a person, and none of a bot', (body) => {
  expect(parseCommand(body, '/docs')).toMatchObject({ kind: 'prompt', prompt: 'explain' })
  expect(parseCommand(body, '/docs', { isBot: true })).toBeUndefined()
})

test('3.1 a mail of the greatest length is read at once', () => {
  const { 'Gmail, en': line } = ATTRIBUTIONS
  const read = () => {
    for (const filler of [
      `${line}\n`,
      `${line}\n> x\n`,
      'From: x\n',
      '```a\n',
      '--\n\n',
      '-- message',
      '_',
      'a:\n',
    ])
      parseCommand(`/docs explain\n${filler.repeat(65_000 / filler.length)}x`, '/docs', asMail)
  }
  expect(processorMs(read)).toBeLessThan(1000)
})
