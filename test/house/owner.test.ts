import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isOwner, withOwner } from '../../scripts/docs/owner.ts'
import { filesLike, fileText, pathOf } from './files.ts'

// Spelled so that the command leaves this file alone.
const OWNER = ['OW', 'NER'].join('')

function repository(files: Readonly<Record<string, string | Buffer>>): string {
  const root = mkdtempSync(join(tmpdir(), 'owner-'))
  execFileSync('git', ['init', '-q'], { cwd: root })
  for (const [file, content] of Object.entries(files)) writeFileSync(join(root, file), content)
  execFileSync('git', ['add', '-A'], { cwd: root })
  return root
}

const run = (root: string, ...args: string[]): string =>
  execFileSync(process.execPath, [pathOf('scripts/owner.ts'), ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: 'pipe',
  })

test('npm run owner replaces the placeholder in every tracked file, and its explanation', () => {
  const bytes = Buffer.from([0x52, 0x49, 0xff, 0x00, 0xfe])
  const root = repository({
    'a.yml': `uses: ${OWNER}/docs-agent/collect@v1\n`,
    'b.md': `Ünï\n<!-- placeholder -->\n\`${OWNER}\` is a placeholder.\n<!-- end of placeholder -->\nend\n`,
    'c.ts': `const A = /^${OWNER}\\/docs-agent/ // ${OWNER}, MEMBER\n`,
    'd.webp': bytes,
  })
  expect(run(root, 'octo')).toContain('octo into 3 files')
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  expect(read('a.yml')).toBe('uses: octo/docs-agent/collect@v1\n')
  expect(read('b.md')).toBe('Ünï\nend\n')
  expect(read('c.ts')).toBe(`const A = /^octo\\/docs-agent/ // ${OWNER}, MEMBER\n`)
  expect(readFileSync(join(root, 'd.webp'))).toEqual(bytes)
})

test.each(['', '-octo', 'octo/docs', 'a b', 'octo--cat', 'x'.repeat(40)])('%j is not an owner', (name) => {
  expect(isOwner(name)).toBe(false)
  expect(() => run(repository({}), name)).toThrow(/Usage: npm run owner/)
})

test('the pages, examples and metadata have no other placeholder', () => {
  const files = filesLike('{*.md,*.json,*.yml,docs/*,examples/*,*/action.yml,*/README.md,.github/**/*.yml}')
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => withOwner(fileText(file), 'octo').includes(OWNER))).toEqual([])
})
