import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isRecord } from '../../emulator/http.ts'
import { fileText, pathOf } from './files.ts'

/** Built, so that the script leaves this file alone, and so that a copy with its owner passes, too. */
const PLACEHOLDER = 'owner'.toUpperCase()
const isOwned = !fileText('README.md').includes(`${PLACEHOLDER}/docs-agent`)

test.skipIf(isOwned)(
  'with its owner, no file names the placeholder, and the README leads somewhere from the Marketplace',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'docs-agent-owner-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: pathOf('.'), encoding: 'utf8' })
    for (const file of files.split('\0').filter(Boolean)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      copyFileSync(pathOf(file), join(folder, file))
    }
    execFileSync('git', ['init', '--quiet'], { cwd: folder })
    execFileSync('git', ['add', '.'], { cwd: folder })
    runOwner(folder, 'octo')
    const named = (word: string) =>
      execFileSync('sh', ['-c', `git grep -lw ${word} || true`], { cwd: folder, encoding: 'utf8' }).split(
        '\n',
      )
    expect(named(PLACEHOLDER)).toEqual([''])
    expect(named('octo/docs-agent')).toEqual(
      expect.arrayContaining(['README.md', 'examples/organization.yml']),
    )
    const readme = readFileSync(join(folder, 'README.md'), 'utf8')
    const targets = [...readme.matchAll(/\]\(([^)]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
      ([, link, image]) => link ?? image,
    )
    expect(targets).toContain('https://github.com/octo/docs-agent/blob/main/docs/costs.md')
    expect(targets.filter((target) => target?.endsWith('.webp'))).toEqual(
      ['dark', 'light'].map(
        (name) => `https://github.com/octo/docs-agent/raw/main/.github/thread-${name}.webp`,
      ),
    )
    expect(targets.filter((target) => !/^(https:|#)/.test(target ?? ''))).toEqual([])
    // In a clone, they are files.
    expect(fileText('README.md')).toContain('](docs/costs.md)')
  },
)

/** As `npm run owner -- NAME` before `npm ci`: on a Node that runs JavaScript alone. */
function runOwner(folder: string, name: string): void {
  const { scripts }: { scripts?: unknown } = JSON.parse(fileText('package.json'))
  const command = isRecord(scripts) ? String(scripts.owner) : ''
  const script = /^node (scripts\/\S+)$/.exec(command)?.[1] ?? ''
  execFileSync(process.execPath, ['--no-strip-types', pathOf(script), name], { cwd: folder })
}
