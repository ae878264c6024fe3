import { expect, test } from 'vitest'
import { parseFileCommands } from '../../emulator/runner/file-commands.ts'
import { parseCommand } from '../../emulator/runner/workflow-commands.ts'

test.each([
  ['a=1\nb=\n', { a: '1', b: '' }],
  ['a=1=2<<3', { a: '1=2<<3' }],
  ['a<<E\nx=1\n\ny\nE\n\nb=2', { a: 'x=1\n\ny', b: '2' }],
  ['a<<E\nE', { a: '' }],
  ['a<<E\r\nx\r\nE\r\n', { a: 'x\r' }],
  ['a=1\na=2', { a: '2' }],
  ['a<<b=c\nx\nb=c', { a: 'x' }],
])('command file %j', (text, pairs) => {
  expect(Object.fromEntries(parseFileCommands(text))).toEqual(pairs)
})

test.each(['nothing', '=1', 'a<<\nx', '<<E\nx\nE', 'a<<E\nx', 'a<<E\nx\n'])(
  'command file %j is refused',
  (text) => {
    expect(() => parseFileCommands(text)).toThrow(/^Invalid/)
  },
)

test.each([
  [
    '::error file=a.ts,title=a%2Cb::c%0Ad%25',
    { name: 'error', properties: { file: 'a.ts', title: 'a,b' }, data: 'c\nd%' },
  ],
  ['  \t::WARNING::x::y', { name: 'warning', properties: {}, data: 'x::y' }],
  ['text ##[add-mask]secret', { name: 'add-mask', properties: {}, data: 'secret' }],
  // Only properties know the escapes of the characters that separate them.
  [
    '::error title=a%3Ab,file=::c%3Ad%2Ce%0Af%250A',
    { name: 'error', properties: { title: 'a:b' }, data: 'c%3Ad%2Ce\nf%0A' },
  ],
  ['\u0085\u2003::error::x', { name: 'error', properties: {}, data: 'x' }],
  ['\ufeff::error::x', undefined],
  ['::internal-set-repo-path repoFullName=a/b::x', undefined],
  ['text ::error::x', undefined],
  ['::unknown::x', undefined],
  ['::error', undefined],
])('line %j', (line, command) => {
  expect(parseCommand(line)).toEqual(command)
})

test('the token that stopped commands starts them again, in any letter case', () => {
  expect(parseCommand('::token::', 'Token')).toEqual({ name: 'token', properties: {}, data: '' })
  expect(parseCommand('::token::')).toBeUndefined()
})
