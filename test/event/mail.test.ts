import { expect, test } from 'vitest'
import { parseCommand } from '../../src/event/command.ts'
import { MAILS } from '../helpers/mails.ts'

const FREE = {
  '/docs status': 'status',
  '/docs help': 'help',
  '/docs skip': 'skip',
  '/docs': 'help',
} as const

const ANSWERS = ['email', 'unknown'] as const

test.each(MAILS)(
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

test.each(MAILS.filter(([, mail]) => !/[\u202a-\u202e]/.test(mail)))(
  '3.1 %s: typed on the page, all of it is the request, and GitHub says so',
  (_, mail) => {
    const command = parseCommand(`/docs explain\n\n${mail}`, '/docs')
    expect(command).toMatchObject({ kind: 'prompt', omissions: [] })
    expect(command?.below).toBeUndefined()
    const own = mail.split('\n').filter((line) => /^[\p{L}\d*_ -]/u.test(line))
    for (const line of own) expect(command?.kind === 'prompt' && command.prompt).toContain(line.trim())
  },
)

test.each(MAILS)(
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
