import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pageBlock } from '../helpers/page-blocks.ts'
import { fileText, pathOf } from './files.ts'

// What people paste while they set the action up.

const APART = 'docs/another-repository.md'
const CALLER = 'organization-caller.yml'
const FILES_APART = [
  'two-repositories.yml',
  'two-repositories-status.yml',
  'two-repositories-private-status.yml',
  'two-repositories-refresh.yml',
  'two-repositories-collect.yml',
  'organization.yml',
]

const matchesIn = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, ...groups]) => groups.join(' ')))].toSorted()

/** `secrets NAME` and `vars NAME`, but for the variable that switches dry runs on. */
const namedIn = (files: readonly string[]): string[] =>
  matchesIn(
    files.map((file) => fileText(`examples/${file}`)).join(''),
    /\b(secrets|vars)\.([A-Z][A-Z_]+)/g,
  ).filter((name) => name !== 'vars DOCS_AGENT_DRY_RUN')

const setBy = (lines: string): string[] =>
  matchesIn(lines, /\bgh (secret|variable) set (\w+)/g).map((name) =>
    name.replace(/^secret /, 'secrets ').replace(/^variable /, 'vars '),
  )

test('the address of the form names the permissions that the tokens of the examples have, and no other', () => {
  const { origin, pathname, searchParams } = new URL(pageBlock(APART, 'https://').trim())
  expect(origin + pathname).toBe('https://github.com/organizations/octo/settings/apps/new')
  const { name, url, public: isPublic, webhook_active, ...permissions } = Object.fromEntries(searchParams)
  expect([name, url, isPublic, webhook_active]).toEqual([
    'octo-docs-agent',
    'https://github.com/octo',
    'false',
    'false',
  ])
  const needed = new Map<string, string>()
  for (const file of FILES_APART)
    for (const [, scope = '', level = ''] of fileText(`examples/${file}`).matchAll(
      /^ +permission-([\w-]+): (read|write)$/gm,
    )) {
      const key = scope.replaceAll('-', '_')
      if (needed.get(key) !== 'write') needed.set(key, level)
    }
  expect(permissions).toEqual(Object.fromEntries(needed))
})

test.each([
  ['README.md', ['comment-command.yml']],
  [APART, FILES_APART.filter((file) => file.startsWith('two-'))],
])('%s: its lines set each secret and variable that its files name, and no other', (page, files) => {
  expect(setBy(pageBlock(page, 'openssl'))).toEqual(namedIn(files))
})

test('the files of an organization name the same, but for the list of repositories', () => {
  const left = setBy(pageBlock(APART, 'openssl')).filter((name) => name !== 'vars DOCS_APP_REPOSITORIES')
  expect(namedIn([CALLER])).toEqual(left)
  expect(fileText('docs/organizations.md').replace(/\s+/g, ' ')).toContain(
    'leave out `DOCS_APP_REPOSITORIES`',
  )
})

test.each(['README.md', APART])('%s: only the last line asks, so the lines can be pasted at once', (page) => {
  const lines = pageBlock(page, 'openssl').trim().split('\n')
  const asks = lines.map((line) => /^gh secret set \w+$/.test(line))
  expect(asks).toEqual(lines.map((_, at) => at === lines.length - 1))
})

/** In place of GitHub's: it clones what stands in a folder, and writes down which pull requests it opens. */
const GH = `#!/usr/bin/env bash
case "$1 $2" in
  'repo clone') git clone --quiet "$REMOTES/$3" ;;
  'pr create') echo "$(basename "$PWD") $4" >> "$REMOTES/opened" ;;
  *) exit 2 ;;
esac
`

test('the loop opens a pull request in each repository, also after one that it cannot reach', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-loop-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [bin, remotes, here] = ['bin', 'remotes', 'here'].map((name) => join(folder, name))
  for (const one of [bin, remotes, here]) mkdirSync(one ?? '')
  writeFileSync(join(bin ?? '', 'gh'), GH)
  chmodSync(join(bin ?? '', 'gh'), 0o755)
  cpSync(pathOf(`examples/${CALLER}`), join(here ?? '', CALLER))
  const who = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'alice'],
    [`GIT_${role}_EMAIL`, 'alice@example.com'],
  ])
  const env = {
    ...Object.fromEntries(who),
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    REMOTES: remotes,
  }
  const run = (command: string, args: readonly string[]) =>
    execFileSync(command, args, { cwd: here, env, encoding: 'utf8', stdio: 'pipe' })
  const loop = pageBlock('docs/organizations.md', 'for repo')
  const [, names = ''] = /^for repo in (.+); do$/m.exec(loop) ?? []
  const [, missing, ...others] = names.split(' ')
  const reached = [names.split(' ')[0] ?? '', ...others]
  for (const name of reached) {
    const remote = join(remotes ?? '', 'octo', name)
    run('git', ['init', '--quiet', '--initial-branch=main', remote])
    run('git', ['-C', remote, 'commit', '--quiet', '--allow-empty', '--message=First'])
  }
  run('bash', ['-c', loop])
  expect(
    readFileSync(join(remotes ?? '', 'opened'), 'utf8')
      .trim()
      .split('\n'),
  ).toEqual(reached.map((name) => `${name} docs-agent`))
  expect(existsSync(join(remotes ?? '', 'octo', missing ?? ''))).toBe(false)
  for (const name of reached) {
    const file = `docs-agent:.github/workflows/${CALLER}`
    expect(run('git', ['-C', join(remotes ?? '', 'octo', name), 'show', file])).toBe(
      fileText(`examples/${CALLER}`),
    )
  }
})
