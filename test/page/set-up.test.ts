import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { launchChromium } from '../../scripts/demo/chromium.ts'
import { pageBlock } from '../helpers/page-blocks.ts'
import { remotesOf } from '../helpers/pasted-lines.ts'
import { fileText, pathOf } from '../house/files.ts'

const URL_OF_PAGE = pathToFileURL(pathOf('docs/set-up.html')).href
const APART = 'docs/another-repository.md'
const ORGANIZATIONS = 'docs/organizations.md'

let browser: Awaited<ReturnType<typeof launchChromium>> | undefined

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser?.close())

/** The page from a clone, after people typed into it: it complains of nothing, and asks for no other address. */
async function typed(values: Readonly<Record<string, string>> = {}, width = 1280) {
  const tab = await browser?.newPage({ viewport: { width, height: 844 } })
  if (tab === undefined) throw new Error('There is no browser')
  const complaints: string[] = []
  tab.on('console', (message) => complaints.push(message.text()))
  tab.on('pageerror', (error) => complaints.push(String(error)))
  tab.on('request', (request) => {
    if (request.url() !== URL_OF_PAGE) complaints.push(request.url())
  })
  await tab.goto(URL_OF_PAGE)
  for (const [name, value] of Object.entries(values))
    if (name === 'environment') await tab.locator('[name=environment]').check()
    else await tab.locator(`[name=${name}]`).fill(value)
  expect(complaints).toEqual([])
  const [app = '', store = '', share = '', rollOut = '', rule = ''] = await tab
    .locator('pre')
    .allTextContents()
  return { tab, app, store, share, rollOut, rule, alert: await tab.locator('[role=alert]').textContent() }
}

test('as it opens, it shows the lines of the pages', async () => {
  const { app, store, rollOut, alert } = await typed()
  expect(`${app}\n`).toBe(pageBlock(APART, 'https://'))
  expect(`${store}\n`).toBe(pageBlock(APART, 'org='))
  expect(`${rollOut}\n`).toBe(pageBlock(APART, 'git fetch'))
  expect(alert).toBe('')
})

test('with several repositories, the lines are those of an organization', async () => {
  const { store, share, rollOut } = await typed({ code: ' app web  api ' })
  expect(`${store}\n`).toBe(pageBlock(ORGANIZATIONS, 'org='))
  expect(`${share}\n`).toBe(pageBlock(ORGANIZATIONS, 'shared='))
  expect(`${rollOut}\n`).toBe(pageBlock(ORGANIZATIONS, 'for repo'))
})

test('with an environment, the lines make it, and put the secrets there, and nothing else', async () => {
  const [without, { store, rollOut }] = [await typed(), await typed({ environment: 'yes' })]
  const made = pageBlock('SECURITY.md', 'gh api --method PUT')
  expect(store).toContain(`\n${made}`)
  expect(store.replace(made, '').replaceAll(' --env docs-agent', '')).toBe(without.store)
  const apart = (lines: string[], word: string) => lines.filter((line) => line.includes(word))
  expect(apart(store.split('\n'), ' --env docs-agent')).toEqual(apart(store.split('\n'), 'gh secret set'))
  expect(rollOut).toBe(without.rollOut.replace('{,-refresh}', '-{private,refresh}'))
})

test('with several, they make an environment in each, whose secrets only the default branch reads', async () => {
  const names = { code: 'web app', docs: 'handbook', client: 'Iv1', project: 'p', environment: 'yes' }
  const { store, share } = await typed(names)
  const files = ['private', 'private-status', 'refresh', 'collect'].map(
    (name) => `two-repositories-${name}.yml`,
  )
  const copied = [...files, 'docs-not-needed.yml']
  const { pathIn, bash, linesOf } = remotesOf({ 'docs-agent': copied.map((name) => `examples/${name}`) })
  bash(store, 'mint_1\n')
  expect(share).toBe('')
  const set = linesOf('set').map((line) => line.replace(/[\da-f]{64}$/, 'random'))
  expect(set.slice(0, 3)).toEqual([
    'DOCS_APP_CLIENT_ID --org octo --body Iv1',
    'MINTLIFY_PROJECT_ID --org octo --body p',
    'DOCS_AGENT_DRY_RUN --org octo --body true',
  ])
  expect(set.slice(3)).toEqual(
    ['web', 'app'].flatMap((name) => [
      `DOCS_APP_REPOSITORIES --repo octo/${name} --body ${name}, handbook`,
      `DOCS_APP_KEY --env docs-agent --repo octo/${name} = private`,
      `MINTLIFY_API_KEY --env docs-agent --repo octo/${name} = mint_1`,
      `DOCS_AGENT_MEMORY_KEY --env docs-agent --repo octo/${name} = random`,
    ]),
  )
  const limits =
    'deployment_branch_policy[protected_branches]=false -F deployment_branch_policy[custom_branch_policies]=true'
  expect(linesOf('called')).toEqual(
    ['web', 'app'].flatMap((name) => [
      `--method PUT repos/octo/${name}/environments/docs-agent -F ${limits}`,
      `repos/octo/${name}/environments/docs-agent/deployment-branch-policies -f name=trunk`,
    ]),
  )
  const textOf = (name: string) => readFileSync(pathIn('here', 'callers', name), 'utf8')
  const condition = "        if: github.repository == 'octo/web'\n"
  for (const name of copied) expect(textOf(name).replace(condition, '')).toBe(fileText(`examples/${name}`))
  // What readers miss goes along from one repository alone.
  const { steps } = parse(textOf('two-repositories-refresh.yml')).jobs.refresh
  expect(steps[0]).toMatchObject({ id: 'insights', if: "github.repository == 'octo/web'" })
})

test.each([
  [['web'], ['web', 'app']],
  [
    ['web', 'app'],
    ['web', 'app', 'api'],
  ],
])('after %j, the lines for %j leave secrets, files and the trial as they are', async (before, after) => {
  const files = ['private', 'private-status', 'refresh', 'collect'].map(
    (name) => `examples/two-repositories-${name}.yml`,
  )
  const { pathIn, bash, linesOf } = remotesOf({ 'docs-agent': [...files, 'examples/docs-not-needed.yml'] })
  const linesFor = async (names: readonly string[]) =>
    // One name alone gives the lines for one repository.
    (await typed({ code: `${names.join(' ')} x`, environment: 'yes' })).store.replace(' x)', ')')
  bash(await linesFor(before), 'mint_1\n')
  const first = linesOf('set')
  writeFileSync(pathIn('here', 'callers', 'two-repositories-refresh.yml'), 'name: Mine\n')
  const where = bash(`${await linesFor(after)}\npwd`, 'mint_2\n').trim()
  expect(where).toMatch(/\/callers$/)
  const added = linesOf('set').slice(first.length)
  const named = new Set(added.flatMap((line) => /--repo octo\/(\w+)/.exec(line)?.[1] ?? []))
  expect([...named]).toEqual(after.filter((name) => !before.includes(name)))
  // A trial of those that are new would stop all others.
  expect(added.join('\n')).not.toContain('DOCS_AGENT_DRY_RUN')
  expect(readFileSync(pathIn('here', 'callers', 'two-repositories-refresh.yml'), 'utf8')).toBe('name: Mine\n')
})

test('a repository whose secrets are not all there gets them anew', async () => {
  const { bash, linesOf } = remotesOf({ 'docs-agent': [] })
  const { store } = await typed({ code: 'web app', environment: 'yes' })
  // GitHub takes the App's key no first time.
  bash(
    `${store.replace('gh secret set DOCS_APP_KEY', 'false; [ "$repo" = app ] && gh secret set DOCS_APP_KEY')}`,
    'mint_1\n',
  )
  bash(store, 'mint_1\n')
  const keys = linesOf('set').filter((line) => line.startsWith('DOCS_AGENT_MEMORY_KEY'))
  expect(keys.map((line) => line.split(' ')[4])).toEqual(['octo/app', 'octo/web'])
})

test('the rule that requires the status is for several repositories, whose files set it', async () => {
  const block = pageBlock('docs/docs-with-the-code.md', 'gh api')
  const alone = [await typed(), await typed({ environment: 'yes' }), await typed({ code: 'api' })]
  for (const { rule, rollOut } of alone) {
    expect(rollOut).not.toContain('status')
    expect(rule).toBe('')
  }
  const { rule } = await typed({ owner: 'acme', code: 'app web' })
  const each = rule.replace(/^for repo in .+; do\n {2}/, '').replace(/\ndone$/, '\n')
  expect(each).toBe(block.replace("'repos/{owner}/{repo}/rulesets'", '"repos/$org/$repo/rulesets"'))
})

test('with one repository, nothing is shared', async () => {
  expect((await typed({ code: 'app' })).share).toBe('')
})

test('what people type stands where the examples stood', async () => {
  const { app, store, rollOut } = await typed({
    owner: 'acme-corp',
    code: 'Back.End',
    docs: 'handbook',
    project: '64f0a1',
    client: 'Iv23',
  })
  expect(new URL(app).pathname).toBe('/organizations/acme-corp/settings/apps/new')
  expect(store).toMatch(/^org=acme-corp code=Back\.End docs=handbook client=Iv23 project=64f0a1\n/)
  expect(app + store + rollOut).not.toMatch(/octo|=PROJECT_ID|=CLIENT_ID/)
})

test('an organization that is called otherwise has its names in each line', async () => {
  const names = {
    owner: 'acme',
    code: 'app web',
    docs: 'handbook',
    shared: 'ci',
    project: 'p',
    client: 'Iv1',
  }
  const { store, share, rollOut } = await typed(names)
  expect(store.split('\n')[0]).toBe('org=acme docs=handbook client=Iv1 project=p repos=(app web)')
  expect(share.split('\n')[0]).toBe('shared=ci')
  // What the shared files call it is replaced.
  expect((store + share + rollOut).replaceAll(/octo\/\w+\|/g, '')).not.toContain('octo')
})

test.each([
  ['shared', 'ci && id'],
  ['owner', 'octo; rm -rf ~'],
  ['code', 'app $(id)'],
  ['docs', "docs' && id '"],
  ['project', '<img src=x onerror=alert(1)>'],
  ['client', ''],
  ['code', ''],
])('in %s, %j gives no lines, but a sentence', async (name, value) => {
  const { app, store, share, rollOut, rule, alert } = await typed({ [name]: value })
  expect([app, store, share, rollOut, rule]).toEqual(['', '', '', '', ''])
  expect(alert).toContain('Correct it')
})

test.each([1280, 390])('nothing is wider than a window of %i pixels', async (width) => {
  const { tab } = await typed({ code: 'app web api' }, width)
  expect(await tab.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0)
})
