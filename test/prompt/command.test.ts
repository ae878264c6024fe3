import { expect, test } from 'vitest'
import { parseCommand } from '../../src/prompt/command.ts'

const prompt = (text: string, fresh = false) => ({ kind: 'prompt', prompt: text, fresh })
const help = { kind: 'help' }
const alone = (fresh: boolean) => ({ ...help, fresh })
const status = { kind: 'status' }

test.each([
  ['/docs explain', prompt('explain')],
  ['/docs explain\nthe option\n\n- a\n- b', prompt('explain\nthe option\n\n- a\n- b')],
  ['/docs\nexplain', prompt('explain')],
  ['/docs\texplain', prompt('explain')],
  ['/docs\u00a0explain', prompt('explain')],
  ['/DOCS Explain', prompt('Explain')],
  ['/Docs explain', prompt('explain')],
  ['\n\n/docs explain', prompt('explain')],
  [' \n\t\n/docs explain', prompt('explain')],
  ['/docs explain\r\nmore\r\n', prompt('explain\nmore')],
  ['\r\n  \r\n/docs explain', prompt('explain')],
  ['/docs explain /docs twice', prompt('explain /docs twice')],
  ['/docs > quoted', prompt('> quoted')],
  ['/docs new \n\t explain', prompt('explain', true)],
])('3.1 %j is a command, and all behind it is the prompt', (body, command) => {
  expect(parseCommand(body, '/docs')).toEqual(command)
})

test.each([
  '',
  ' ',
  '\n\n',
  'please /docs explain',
  'see\n/docs explain',
  ' /docs explain',
  '\t/docs explain',
  '\n  /docs explain',
  '\u200b/docs explain',
  '> /docs explain',
  '`/docs explain`',
  '```\n/docs explain\n```',
  '**/docs** explain',
  '- /docs explain',
  '<!-- x -->\n/docs explain',
  '/docsx explain',
  '/docs-new explain',
  '/docs: explain',
  '/docs/explain',
  '/docs.',
  '/docs\u200bexplain',
  '/doc s',
  '/doc',
  '//docs explain',
  'docs explain',
])('3.1 %j is no command', (body) => {
  expect(parseCommand(body, '/docs')).toBeUndefined()
})

test.each([
  ['/docs', alone(false)],
  ['/docs  \n', alone(false)],
  ['/docs help', help],
  ['/docs HELP\n\n', help],
  ['/docs\nhelp', help],
  ['/docs new', alone(true)],
  ['/docs new \n', alone(true)],
  ['/docs status', status],
  ['/docs Status', status],
  ['/docs help people to migrate', prompt('help people to migrate')],
  ['/docs status codes are not explained', prompt('status codes are not explained')],
  ['/docs new explain', prompt('explain', true)],
  ['/docs NEW explain', prompt('explain', true)],
  ['/docs new\nexplain\nmore', prompt('explain\nmore', true)],
  ['/docs newer versions', prompt('newer versions')],
  ['/docs news', prompt('news')],
  ['/docs new help', prompt('help', true)],
  ['/docs new status', prompt('status', true)],
  ['/docs a new page', prompt('a new page')],
])('3.2 %j', (body, command) => {
  expect(parseCommand(body, '/docs')).toEqual(command)
})

test.each([
  ['@docs-bot', '@Docs-Bot explain', prompt('explain')],
  ['@docs-bot', '@docs-bots explain', undefined],
  ['/d.cs', '/docs explain', undefined],
  ['!', '! explain', prompt('explain')],
  ['!', '!explain', undefined],
  ['/größe', '/GRÖSSE x', undefined],
  ['/größe', '/GRÖßE x', prompt('x')],
])('3.1 with the command %j, %j', (command, body, expected) => {
  expect(parseCommand(body, command)).toEqual(expected)
})

test('3.1 a comment of the greatest length is read at once', () => {
  const started = performance.now()
  for (const filler of [' \n', ' ', '\n', '\r\n', '/docs ']) {
    parseCommand(filler.repeat(65_536 / filler.length), '/docs')
    parseCommand(`${filler.repeat(65_000 / filler.length)}x`, '/docs')
    parseCommand(`/docs new${filler.repeat(65_000 / filler.length)}x`, '/docs')
  }
  expect(performance.now() - started).toBeLessThan(1000)
})
