import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { BadInput } from '../../src/base/errors.ts'
import { readWorkspaceFile } from '../../src/inputs/workspace-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'workspace-'))
afterAll(() => rmSync(folder, { recursive: true }))
const workspace = join(folder, 'workspace')
mkdirSync(join(workspace, 'docs'), { recursive: true })
const at = (...parts: string[]) => join(workspace, ...parts)
writeFileSync(at('docs', 'prompt.md'), '\ufeffExplain retries – “ü” 🚀\n')
writeFileSync(join(folder, 'secret.txt'), 'secret')
writeFileSync(at('latin1.txt'), Buffer.from([0x67, 0x72, 0xfc, 0xdf, 0x65]))
writeFileSync(at('..odd'), 'odd')
symlinkSync(at('docs', 'prompt.md'), at('inside'))
symlinkSync(join(folder, 'secret.txt'), at('outside'))
symlinkSync(folder, at('up'))
mkdirSync(at('.git'))
writeFileSync(at('.git', 'config'), 'extraheader')
mkdirSync(at('checkout', '.GIT'), { recursive: true })
writeFileSync(at('checkout', '.GIT', 'config'), 'extraheader')
symlinkSync(at('.git', 'config'), at('notes.md'))
symlinkSync(at('nowhere'), at('dangling'))

const MOST = 1000
const read = (file: string) => readWorkspaceFile('prompt-file', file, workspace, MOST).text

test.each(['docs/prompt.md', './docs/../docs/prompt.md', at('docs', 'prompt.md'), 'inside'])(
  '1.4 %s is read as UTF-8',
  (file) => {
    expect(read(file)).toBe('Explain retries – “ü” 🚀\n')
  },
)

test('4.2 the start of a file too long to be read ends with a whole character', () => {
  writeFileSync(at('long.md'), '€'.repeat(2 * MOST))
  const { text, goesOn } = readWorkspaceFile('reference-file', 'long.md', workspace, MOST)
  expect([text, goesOn]).toEqual(['€'.repeat(Math.floor((4 * MOST) / 3)), true])
})

test('1.4 a name that only begins with two dots lies in the workspace', () => {
  expect(read('..odd')).toBe('odd')
})

test('1.4 a workspace that is itself a link is one', () => {
  const link = join(folder, 'link')
  symlinkSync(workspace, link)
  expect(readWorkspaceFile('prompt-file', 'docs/prompt.md', link, MOST).text).toContain('Explain')
})

test.each([
  ['nowhere.md', 'does not exist'],
  ['dangling', 'does not exist'],
  ['docs/prompt.md/x', 'does not exist'],
  ['a\0b', 'does not exist'],
  ['docs', 'is not a regular file'],
  ['../secret.txt', 'lies outside the workspace'],
  ['outside', 'lies outside the workspace'],
  ['up/secret.txt', 'lies outside the workspace'],
  ['/dev/zero', 'lies outside the workspace'],
  ['.git/config', 'lies in the `.git` directory'],
  ['checkout/.GIT/config', 'lies in the `.git` directory'],
  ['notes.md', 'lies in the `.git` directory'],
  ['latin1.txt', 'is not UTF-8'],
])('1.4 the file %j %s: bad-input, with the way out', (file, fault) => {
  expect(() => read(file)).toThrow(BadInput)
  expect(() => read(file)).toThrow(fault)
  expect(() => read(file)).toThrow(/^Input `prompt-file` \(`[^`\n]{1,100}`\) .+ UTF-8 text file/)
})

test.runIf(process.platform !== 'win32')('1.4 a pipe without a writer is refused, not waited for', () => {
  execFileSync('mkfifo', [at('pipe')])
  expect(() => read('pipe')).toThrow('is not a regular file')
})

test.runIf(process.getuid?.() !== 0)('1.4 a file that the runner may not read', () => {
  writeFileSync(at('locked'), 'x')
  chmodSync(at('locked'), 0)
  expect(() => read('locked')).toThrow('cannot be read')
})
