import { cpSync, existsSync, readFileSync } from 'node:fs'
import type { operations } from '@octokit/openapi-types'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { pageBlock } from '../helpers/page-blocks.ts'
import { remotesOf } from '../helpers/pasted-lines.ts'
import { evaluated } from './expressions.ts'
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

/** How the block begins that sets secrets and variables. */
const BEGINNING: Readonly<Record<string, string>> = {
  'README.md': 'openssl',
  [APART]: 'org=octo code=',
  [ORGANIZATIONS]: 'org=octo docs=',
}

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
  expect(setBy(pageBlock(page, BEGINNING[page] ?? ''))).toEqual(namedIn(files))
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
  const lines = pageBlock(ORGANIZATIONS, BEGINNING[ORGANIZATIONS] ?? '')
  // A sweep asks nothing by itself, so it knows no dry run.
  const named = new Set([...namedIn([caller]), 'vars DOCS_AGENT_DRY_RUN'])
  expect(setBy(lines)).toEqual([...named].toSorted())
  const stored = lines.split('\n').filter((line) => / set /.test(line))
  expect(stored.filter((line) => !line.includes(' --org "$org"'))).toEqual([])
})

test.each(Object.entries(BEGINNING))(
  '%s: only the last line asks, so the lines can be pasted at once',
  (page, begin) => {
    const lines = pageBlock(page, begin).trim().split('\n')
    const asks = lines.map((line) => /^gh secret set \w+( --org "\$org")?$/.test(line))
    expect(asks).toEqual(lines.map((_, at) => at === lines.length - 1))
  },
)

const withoutMinutes = (text: string): string => text.replace(/(?<=cron: ')\d+/g, '0')

const NAMES = 'org=octo docs=handbook client=Iv1 project=p repos=(app web api)\n'

describe('the loop', () => {
  const loop = NAMES + pageBlock(ORGANIZATIONS, 'for repo')

  test('opens a pull request in each repository, also after one that it cannot reach', () => {
    const { pathIn, git, bash, linesOf } = remotesOf({ app: [], api: [] })
    for (const caller of CALLERS) cpSync(pathOf(`examples/${caller}`), pathIn('here', caller))
    bash(loop)
    expect(linesOf('opened')).toEqual(['app docs-agent', 'api docs-agent'])
    expect(existsSync(pathIn('remotes', 'octo', 'web'))).toBe(false)
    for (const name of ['app', 'api'])
      for (const caller of CALLERS) {
        const text = git(name, 'show', `docs-agent:.github/workflows/${caller}`)
        expect(withoutMinutes(text)).toBe(withoutMinutes(fileText(`examples/${caller}`)))
        for (const [, minute] of text.matchAll(/cron: '(\d+)/g)) expect(Number(minute)).toBeLessThan(60)
      }
  })

  test('opens another one later, with what changed alone, also where the branch of the first was left', () => {
    const { pathIn, git, bash, linesOf } = remotesOf({ app: [], web: [], api: [] })
    for (const caller of CALLERS) cpSync(pathOf(`examples/${caller}`), pathIn('here', caller))
    bash(loop)
    // In api, the first pull request stays open.
    for (const name of ['app', 'web']) {
      git(name, 'merge', '--quiet', '--squash', 'docs-agent')
      git(name, 'commit', '--quiet', '--message=Merge')
    }
    const [changed = ''] = CALLERS
    cpSync(pathOf('examples/docs-not-needed.yml'), pathIn('here', changed))
    bash(loop)
    for (const name of ['app', 'web', 'api'])
      expect(git(name, 'show', `docs-agent:.github/workflows/${changed}`)).toBe(
        fileText('examples/docs-not-needed.yml'),
      )
    const differing = git('web', 'diff', '--name-only', 'main', 'docs-agent').trim()
    expect(differing).toBe(`.github/workflows/${changed}`)
    expect(linesOf('opened')).toHaveLength(6)
  })
})

test('the lines that share the files put the names of the organization into each that calls them', () => {
  const shared = CALLERS.map((caller) => caller.replace('-caller', ''))
  const files = [...CALLERS, ...shared, 'docs-not-needed.yml'].map((file) => `examples/${file}`)
  const { pathIn, git, bash } = remotesOf({ 'docs-agent': files, ci: [] })
  const lines = pageBlock(ORGANIZATIONS, 'shared=').replace(/^shared=.*$/m, 'shared=ci')
  const names = NAMES.replace('(app', '(web')
  expect(bash(`${names}${lines}pwd`).trim()).toMatch(/\/callers$/)
  for (const file of shared)
    expect(git('ci', 'show', `main:.github/workflows/${file}`)).toBe(fileText(`examples/${file}`))
  const textOf = (file: string) => readFileSync(pathIn('here', 'callers', file), 'utf8')
  for (const caller of CALLERS) {
    expect(textOf(caller)).toContain('uses: octo/ci/.github/workflows/')
    expect(textOf(caller)).toContain('docs-repository: handbook\n')
    expect(textOf(caller).split('\n').length).toBe(fileText(`examples/${caller}`).split('\n').length)
  }
  expect(textOf('organization-refresh-caller.yml')).toContain(
    `insights: $\{{ github.repository == 'octo/web' }}`,
  )
  expect(textOf('docs-not-needed.yml')).toBe(fileText('examples/docs-not-needed.yml'))
})

test('the lines for one repository open a pull request with the files of the list, and later another one', () => {
  const names = ['two-repositories.yml', 'two-repositories-refresh.yml']
  const later = ['two-repositories-status.yml', 'two-repositories-collect.yml']
  const files = [...names, ...later].map((name) => `examples/${name}`)
  const { git, bash, linesOf } = remotesOf({ 'docs-agent': files, app: [] })
  const lines = pageBlock(APART, 'git fetch')
  bash(`${pageBlock(APART, BEGINNING[APART] ?? '')}${lines}`, 'mint_1')
  const expectThere = (file: string) =>
    expect(git('app', 'show', `docs-agent:.github/workflows/${file}`)).toBe(fileText(`examples/${file}`))
  names.forEach(expectThere)
  expect(linesOf('opened')).toEqual(['app docs-agent'])
  git('app', 'merge', '--quiet', '--squash', 'docs-agent')
  git('app', 'commit', '--quiet', '--message=Merge')
  bash(`cd app\n${lines.replace('{,-refresh}', '-{status,collect}')}`)
  ;[...names, ...later].forEach(expectThere)
  const added = git('app', 'diff', '--name-only', 'main', 'docs-agent').trim().split('\n')
  expect(added).toEqual(later.toSorted().map((name) => `.github/workflows/${name}`))
  const [memory, ...others] = linesOf('set')
  expect(memory).toMatch(/^DOCS_AGENT_MEMORY_KEY = [\da-f]{64}$/)
  expect(others).toEqual([
    'DOCS_APP_KEY = private',
    'DOCS_APP_CLIENT_ID --body CLIENT_ID',
    'DOCS_APP_REPOSITORIES --body app, docs',
    'MINTLIFY_PROJECT_ID --body PROJECT_ID',
    'DOCS_AGENT_DRY_RUN --body true',
    'MINTLIFY_API_KEY = mint_1',
  ])
})

test('the lines that copy the action leave each copy a tag of its own, so that a pinned commit stays', () => {
  const { pathIn, git, bash, linesOf } = remotesOf({ 'docs-agent': [], source: [] })
  const owned = 'echo octo > owner'
  const lines = pageBlock('docs/upgrades.md', 'org=').replace('npm run owner -- "$org"', owned)
  const clone = (time: string) => `
    git config --global url."$REMOTES/".insteadOf https://github.com/
    gh repo clone octo/source ${time} && cd ${time} && touch owner && git add owner
    date() { echo ${time}; }
    ${lines}`
  const [first, second] = ['monday', 'tuesday'].map((time) => {
    git('source', 'commit', '--quiet', '--allow-empty', `--message=${time}`)
    return bash(clone(time)).trim().split('\n').at(-1) ?? ''
  })
  const shaOf = (name: string) => git('docs-agent', 'rev-parse', name).trim()
  expect(['monday', 'tuesday', 'v1', 'main'].map(shaOf)).toEqual([first, second, second, second])
  expect(first).not.toBe(second)
  expect(linesOf('called')).toHaveLength(2)
  const pin = /`(perl [^`]+)`/.exec(fileText('docs/upgrades.md'))?.[1] ?? ''
  cpSync(pathOf('examples/collect.yml'), pathIn('here', 'collect.yml'))
  bash(pin.replace('.github/workflows/*.yml', 'collect.yml'))
  const pinned = readFileSync(pathIn('here', 'collect.yml'), 'utf8')
  expect(pinned).toBe(fileText('examples/collect.yml').replaceAll(/(docs-agent\/collect)@v1$/gm, '$1@SHA'))
  expect(pinned).toContain('docs-agent/collect@SHA')
})

test.each([
  ['docs-with-the-code.yml', 'pull_request'],
  ['two-repositories-status.yml', 'pull_request'],
  ['two-repositories-private-status.yml', 'pull_request_target'],
])(
  'the line that turns the status on for everyone takes the label out of %s, and nothing else',
  (file, name) => {
    const { pathIn, bash } = remotesOf({})
    cpSync(pathOf(`examples/${file}`), pathIn('here', file))
    const line = pageBlock('docs/docs-with-the-code.md', 'perl')
    bash(line.replace('.github/workflows/docs-with-the-code.yml', file))
    const [before, after] = [fileText(`examples/${file}`), readFileSync(pathIn('here', file), 'utf8')]
    expect(after).not.toMatch(/labels\.\*|labeled/)
    expect(before.split('\n').length - after.split('\n').length).toBe(2)
    const isStarted = (repository: string) => {
      const pull_request = { labels: [], draft: false, head: { repo: { full_name: repository } } }
      const context = { event_name: name, actor: 'alice', event: { action: 'opened', pull_request } }
      return evaluated(String(parse(after).jobs.docs.if), context)
    }
    expect([isStarted('octo/app'), isStarted('dave/app')]).toEqual(['true', 'false'])
  },
)
