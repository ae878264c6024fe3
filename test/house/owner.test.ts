import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileText, pathOf } from './files.ts'

test('with its owner, the README has addresses that lead somewhere from the Marketplace, too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-owner-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  copyFileSync(pathOf('README.md'), join(folder, 'README.md'))
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  execFileSync('git', ['add', '.'], { cwd: folder })
  const node = join(pathOf('node_modules'), '.bin', 'node')
  execFileSync(node, [pathOf('scripts/owner.ts'), 'octo'], { cwd: folder })
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  expect(readme).not.toContain('OWNER')
  const targets = [...readme.matchAll(/\]\(([^)]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    ([, link, image]) => link ?? image,
  )
  expect(targets).toContain('https://github.com/octo/docs-agent/blob/main/docs/costs.md')
  expect(targets.filter((target) => !/^(https:|#)/.test(target ?? ''))).toEqual([])
  // In a clone, they are files.
  expect(fileText('README.md')).toContain('](docs/costs.md)')
})
