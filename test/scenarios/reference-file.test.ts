import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { partIn } from '../helpers/prompt-parts.ts'
import { expectOutcome, world } from '../helpers/world.ts'

/** A checkout in a folder of its own. */
function checkout(files: Readonly<Record<string, string>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'reference-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const workspace = join(root, 'workspace')
  mkdirSync(workspace)
  writeFileSync(join(root, 'outside.md'), 'outside')
  for (const [name, content] of Object.entries(files)) writeFileSync(join(workspace, name), content)
  return workspace
}

const fenced = (prompt = ''): string =>
  partIn(prompt, /^the files that the workflow/).replace(/^=== \w+ /gm, '')

test('4.1 4.2 the files stand in the fence, below the request', { tags: 'bundle' }, async () => {
  const emulator = world()
  const workspace = checkout({ 'links.md': 'Dead: /a\n', 'insights, new.md': 'Readers miss\u200b /b' })
  const inputs = { 'reference-file': ' links.md\n\ninsights, new.md \n' }
  expectOutcome(await emulator.refresh(1, inputs, { workspace }), 'pull-request')
  const [prompt = ''] = emulator.prompts()
  expect(fenced(prompt)).toContain('File: links.md\nDead: /a\n\nFile: insights, new.md\nReaders miss /b')
  expect(prompt.indexOf('Refresh the docs.')).toBeLessThan(prompt.indexOf('=== begin'))
})

test('4.1 4.2 they go with a message as well, in another fence', async () => {
  const emulator = world()
  const workspace = checkout({ 'links.md': 'Dead: /a' })
  await emulator.ask('/docs explain')
  const more = { workspace, inputs: { 'reference-file': 'links.md' } }
  const result = await emulator.ask('/docs fix the links', more)
  expect(result.outputs['job-action']).toBe('continued')
  expect(fenced(emulator.prompts()[1])).toContain('Dead: /a')
  const boundaries = emulator.prompts().map((prompt) => /^=== begin (\w+)$/m.exec(prompt)?.[1])
  expect(new Set(boundaries).size, 'each fence has a boundary of its own').toBe(2)
})

test('4.2 each is cut at a line with a note, all together within 20,000 characters', async () => {
  const emulator = world()
  const long = Array.from({ length: 3000 }, (_, n) => `line ${n}`).join('\n')
  const workspace = checkout({ 'a.md': long, 'b.md': 'short', 'c.md': long, 'd.md': long })
  await emulator.refresh(1, { 'reference-file': 'a.md\nb.md\nc.md\nd.md' }, { workspace })
  const text = fenced(emulator.prompts()[0])
  expect(text.length).toBeLessThan(20_200)
  expect(text.length).toBeGreaterThan(19_000)
  expect(text.match(/^line \d+\n\[cut: \d+ more characters\]$/gm)).toHaveLength(3)
  expect(text).toContain('File: b.md\nshort\n\nFile: c.md')
  for (const part of text.split('short')) expect(part.length).toBeGreaterThan(6000)
  expect(text.split('File: d.md')[1]?.length).toBeGreaterThan(6000)
})

test('1.4 the prompt has 200,000 characters at most', async () => {
  const emulator = world()
  const workspace = checkout({ 'a.md': 'a line\n'.repeat(3000), 'request.md': 'x'.repeat(190_000) })
  const inputs = { prompt: '', 'prompt-file': 'request.md', 'reference-file': 'a.md' }
  expectOutcome(await emulator.refresh(1, inputs, { workspace }), 'pull-request')
  const [prompt = ''] = emulator.prompts()
  expect(prompt.length).toBeLessThanOrEqual(200_000)
  expect(prompt).toMatch(/\[cut: \d+ more characters\]\n=== end \w+$/)
})

test.each([
  ['nothing was merged and the files are empty', '', { 'changes-since': '7d' }, 'skipped', 'no-changes'],
  [
    'nothing was merged, and readers miss something',
    'Readers miss /b',
    { 'changes-since': '7d' },
    'pull-request',
    '',
  ],
  ['the files alone are empty', ' \n', {}, 'skipped', 'no-changes'],
])('3.10 %s', async (_, text, more, outcome, reason) => {
  const emulator = world()
  const workspace = checkout({ 'a.md': text, 'b.md': '' })
  const inputs = { 'reference-file': 'a.md\nb.md', ...more }
  expectOutcome(await emulator.refresh(1, inputs, { workspace }), outcome, reason)
  expect(emulator.prompts()).toHaveLength(outcome === 'skipped' ? 0 : 1)
})

test('3.10 what a person asks goes out, whatever the files hold', async () => {
  const emulator = world()
  const more = { workspace: checkout({ 'a.md': '' }), inputs: { 'reference-file': 'a.md' } }
  expectOutcome(await emulator.ask('/docs explain', more), 'pull-request')
})
