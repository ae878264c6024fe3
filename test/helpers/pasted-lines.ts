import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { pathOf } from '../house/files.ts'

// What people paste, run in a shell beside repositories of octo.

/**
 * In place of GitHub's: it clones what stands in a folder, and writes down which pull requests it opens, and what it sets with
 * which value. A pull request that is open stays the same one.
 */
const GH = `#!/usr/bin/env bash
case "$1 $2" in
  'repo clone') git clone --quiet "$REMOTES/$3" $4 ;;
  'repo create') ;;
  'repo view') echo trunk ;;
  'pr create') echo "$(basename "$(git remote get-url origin)") $4" >> "$REMOTES/opened" ;;
  'secret list') grep --fixed-strings -e "\${*:3} = " "$REMOTES/set" ;;
  'secret set') echo "\${*:3} = $(cat)" >> "$REMOTES/set" ;;
  'variable set') echo "\${*:3}" >> "$REMOTES/set" ;;
  api\\ *) echo "\${*:2}" >> "$REMOTES/called" ;;
  *) exit 2 ;;
esac
`

/** A folder with repositories of octo, where `bash` runs lines of a page without this machine's settings of git. */
export function remotesOf(repositories: Readonly<Record<string, readonly string[]>>) {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-lines-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const pathIn = (...names: readonly string[]) => join(folder, ...names)
  for (const name of ['bin', 'remotes', 'here', 'Downloads']) mkdirSync(pathIn(name))
  writeFileSync(pathIn('bin', 'gh'), GH)
  chmodSync(pathIn('bin', 'gh'), 0o755)
  writeFileSync(pathIn('Downloads', 'octo-docs-agent.2026-11-29.private-key.pem'), 'private')
  const who = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'alice'],
    [`GIT_${role}_EMAIL`, 'alice@example.com'],
  ])
  const env = {
    ...Object.fromEntries(who),
    PATH: `${pathIn('bin')}:${process.env.PATH}`,
    HOME: folder,
    REMOTES: pathIn('remotes'),
  }
  const run = (command: string, args: readonly string[], input = '') =>
    execFileSync(command, args, { cwd: pathIn('here'), env, input, encoding: 'utf8', stdio: 'pipe' })
  const git = (name: string, ...args: readonly string[]) =>
    run('git', ['-C', pathIn('remotes', 'octo', name), ...args])
  for (const [name, files] of Object.entries(repositories)) {
    mkdirSync(pathIn('remotes', 'octo', name, 'examples'), { recursive: true })
    for (const file of files) cpSync(pathOf(file), pathIn('remotes', 'octo', name, file))
    git(name, 'init', '--quiet', '--initial-branch=main')
    git(name, 'config', 'receive.denyCurrentBranch', 'ignore')
    git(name, 'add', '.')
    git(name, 'commit', '--quiet', '--allow-empty', '--message=First')
  }
  /** @param typed what a person types */
  const bash = (lines: string, typed = '') => run('bash', ['-c', lines], typed)
  const linesOf = (name: 'opened' | 'set' | 'called') =>
    readFileSync(pathIn('remotes', name), 'utf8').trim().split('\n')
  return { pathIn, git, bash, linesOf }
}
