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
import type { operations } from '@octokit/openapi-types'
import { expect, onTestFinished, test } from 'vitest'
import { pageBlock } from '../helpers/page-blocks.ts'
import { filesLike, fileText, pathOf } from './files.ts'

// What people paste while they set the action up.

const APART = 'docs/another-repository.md'
const ORGANIZATIONS = 'docs/organizations.md'
const CALLERS = filesLike('examples/*-caller.yml').map((file) => file.replace('examples/', ''))
const FILES_APART = [
  'two-repositories.yml',
  'two-repositories-status.yml',
  'two-repositories-private.yml',
  'two-repositories-private-status.yml',
  'two-repositories-refresh.yml',
  'two-repositories-collect.yml',
  'organization.yml',
  'organization-status.yml',
  'organization-refresh.yml',
  'organization-collect.yml',
]

const matchesIn = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, ...groups]) => groups.join(' ')))].toSorted()

/** `secrets NAME` and `vars NAME`. */
const namedIn = (files: readonly string[]): string[] =>
  matchesIn(files.map((file) => fileText(`examples/${file}`)).join(''), /\b(secrets|vars)\.([A-Z][A-Z_]+)/g)

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

test('the lines for an environment make the one that the files name', () => {
  const lines = pageBlock('SECURITY.md', 'gh api --method PUT')
  const named = matchesIn(lines, /environments\/([\w-]+)/g)
  const files = filesLike('examples/two-repositories*.yml').map(fileText).join('')
  expect(named).toEqual(matchesIn(files, /environment: \{ name: ([\w-]+),/g))
  expect(lines.trim().split('\n')).toHaveLength(2)
})

type Ruleset = operations['repos/create-repo-ruleset']['requestBody']['content']['application/json']

test('the rule requires the status that the examples set, from any source', () => {
  const [, body = ''] =
    /<<'END'\n([\s\S]*)\nEND\n$/.exec(pageBlock('docs/docs-with-the-code.md', 'gh api')) ?? []
  const rule: Ruleset = JSON.parse(body)
  const contexts = (rule.rules ?? []).flatMap((one) =>
    one.type === 'required_status_checks' ? one.parameters?.required_status_checks : [],
  )
  const files = filesLike('examples/*.yml').map(fileText).join('')
  expect(contexts).toEqual(matchesIn(files, /^ +commit-status: (\w+)$/gm).map((context) => ({ context })))
  expect([rule.target, rule.enforcement]).toEqual(['branch', 'active'])
})

test.each(CALLERS)('%s names what the lines for an organization set', (caller) => {
  const lines = pageBlock(ORGANIZATIONS, 'openssl')
  // A sweep asks nothing by itself, so it knows no dry run.
  const named = new Set([...namedIn([caller]), 'vars DOCS_AGENT_DRY_RUN'])
  expect(setBy(lines)).toEqual([...named].toSorted())
  const stored = lines.split('\n').filter((line) => / set /.test(line))
  expect(stored.filter((line) => !line.includes(' --org octo'))).toEqual([])
})

test.each(['README.md', APART, ORGANIZATIONS])(
  '%s: only the last line asks, so the lines can be pasted at once',
  (page) => {
    const lines = pageBlock(page, 'openssl').trim().split('\n')
    const asks = lines.map((line) => /^gh secret set \w+( --org octo)?$/.test(line))
    expect(asks).toEqual(lines.map((_, at) => at === lines.length - 1))
  },
)

/** In place of GitHub's: it has made what it is to make, clones what stands in a folder, and writes down which pull requests it opens. */
const GH = `#!/usr/bin/env bash
case "$1 $2" in
  'repo clone') git clone --quiet "$REMOTES/$3" ;;
  'repo create' | 'api --method') ;;
  'pr create') echo "$(basename "$PWD") $4" >> "$REMOTES/opened" ;;
  *) exit 2 ;;
esac
`

/** A folder with repositories of octo, where `bash` runs lines of a page without this machine's settings of git. */
function remotesOf(repositories: Readonly<Record<string, readonly string[]>>) {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-lines-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const pathIn = (...names: readonly string[]) => join(folder, ...names)
  for (const name of ['bin', 'remotes', 'here']) mkdirSync(pathIn(name))
  writeFileSync(pathIn('bin', 'gh'), GH)
  chmodSync(pathIn('bin', 'gh'), 0o755)
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
  const run = (command: string, args: readonly string[]) =>
    execFileSync(command, args, { cwd: pathIn('here'), env, encoding: 'utf8', stdio: 'pipe' })
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
  return { pathIn, git, bash: (lines: string) => run('bash', ['-c', lines]) }
}

const linesIn = (path: string): string[] => readFileSync(path, 'utf8').trim().split('\n')
const withoutMinutes = (text: string): string => text.replace(/(?<=cron: ')\d+/g, '0')

test('the loop opens a pull request in each repository, also after one that it cannot reach', () => {
  const loop = pageBlock(ORGANIZATIONS, 'for repo')
  const [, names = ''] = /^for repo in (.+); do$/m.exec(loop) ?? []
  const [first = '', missing = '', ...others] = names.split(' ')
  const reached = [first, ...others]
  const { pathIn, git, bash } = remotesOf(Object.fromEntries(reached.map((name) => [name, []])))
  for (const caller of CALLERS) cpSync(pathOf(`examples/${caller}`), pathIn('here', caller))
  bash(loop)
  expect(linesIn(pathIn('remotes', 'opened'))).toEqual(reached.map((name) => `${name} docs-agent`))
  expect(existsSync(pathIn('remotes', 'octo', missing))).toBe(false)
  for (const name of reached)
    for (const caller of CALLERS) {
      const text = git(name, 'show', `docs-agent:.github/workflows/${caller}`)
      expect(withoutMinutes(text)).toBe(withoutMinutes(fileText(`examples/${caller}`)))
      for (const [, minute] of text.matchAll(/cron: '(\d+)/g)) expect(Number(minute)).toBeLessThan(60)
    }
})

test('the lines that share the files put the names of the organization into each that calls them', () => {
  const shared = CALLERS.map((caller) => caller.replace('-caller', ''))
  const files = [...CALLERS, ...shared].map((file) => `examples/${file}`)
  const { pathIn, git, bash } = remotesOf({ 'docs-agent': files, ci: [] })
  const lines = pageBlock(ORGANIZATIONS, 'org=').replace(/^org=.*$/m, 'org=octo shared=ci docs=handbook')
  expect(bash(`${lines}pwd`).trim()).toMatch(/\/callers$/)
  for (const file of shared)
    expect(git('ci', 'show', `main:.github/workflows/${file}`)).toBe(fileText(`examples/${file}`))
  for (const caller of CALLERS) {
    const text = readFileSync(pathIn('here', 'callers', caller), 'utf8')
    expect(text).toContain('uses: octo/ci/.github/workflows/')
    expect(text).toContain('docs-repository: handbook\n')
    expect(text.split('\n').length).toBe(fileText(`examples/${caller}`).split('\n').length)
  }
})
