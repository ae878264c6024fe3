import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isRecord } from '../../emulator/http.ts'
import { fileText, pathOf } from './files.ts'

test('with its owner, the README has addresses that lead somewhere from the Marketplace, too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-owner-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  copyFileSync(pathOf('README.md'), join(folder, 'README.md'))
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  execFileSync('git', ['add', '.'], { cwd: folder })
  runOwner(folder, 'octo')
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

/** As `npm run owner -- NAME` before `npm ci`: on a Node that runs JavaScript alone. */
function runOwner(folder: string, name: string): void {
  const { scripts }: { scripts?: unknown } = JSON.parse(fileText('package.json'))
  const command = isRecord(scripts) ? String(scripts.owner) : ''
  const script = /^node (scripts\/\S+)$/.exec(command)?.[1] ?? ''
  execFileSync(process.execPath, ['--no-strip-types', pathOf(script), name], { cwd: folder })
}
