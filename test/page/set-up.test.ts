import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../../scripts/demo/chromium.ts'
import { pageBlock } from '../helpers/page-blocks.ts'
import { pathOf } from '../house/files.ts'

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
  for (const [name, value] of Object.entries(values)) await tab.locator(`[name=${name}]`).fill(value)
  expect(complaints).toEqual([])
  const [app = '', store = '', share = '', rollOut = '', rule = ''] = await tab
    .locator('pre')
    .allTextContents()
  return { tab, app, store, share, rollOut, rule, alert: await tab.locator('[role=alert]').textContent() }
}

test('as it opens, it shows the lines of the pages', async () => {
  const { app, store, alert } = await typed()
  expect(`${app}\n`).toBe(pageBlock(APART, 'https://'))
  expect(`${store}\n`).toBe(pageBlock(APART, 'openssl'))
  expect(alert).toBe('')
})

test('with several repositories, the lines are those of an organization', async () => {
  const { store, share, rollOut } = await typed({ code: ' app web  api ' })
  expect(`${store}\n`).toBe(pageBlock(ORGANIZATIONS, 'openssl'))
  expect(`${share}\n`).toBe(pageBlock(ORGANIZATIONS, 'org='))
  expect(`${rollOut}\n`).toBe(pageBlock(ORGANIZATIONS, 'for repo'))
})

test('with an environment, the lines make it, and put the secrets there, and nothing else', async () => {
  const { tab, store } = await typed()
  await tab.locator('[name=environment]').check()
  const lines = (await tab.locator('#store').textContent())?.split('\n') ?? []
  expect(`${lines.slice(0, 2).join('\n')}\n`).toBe(pageBlock('SECURITY.md', 'gh api --method PUT'))
  expect(lines.slice(2).map((line) => line.replace(' --env docs-agent', ''))).toEqual(store.split('\n'))
  const apart = lines.filter((line) => line.includes(' --env docs-agent'))
  expect(apart).toEqual(lines.filter((line) => line.includes('gh secret set')))
})

test('the rule that requires the status is for one repository, or for each', async () => {
  const block = pageBlock('docs/docs-with-the-code.md', 'gh api')
  expect(`${(await typed()).rule}\n`).toBe(block)
  const { rule } = await typed({ owner: 'acme', code: 'app web' })
  const each = rule.replace(/^for repo in app web; do\n {2}/, '').replace(/\ndone$/, '\n')
  expect(each).toBe(block.replace("'repos/{owner}/{repo}/rulesets'", '"repos/acme/$repo/rulesets"'))
})

test('with one repository, nothing is shared', async () => {
  const { share, rollOut } = await typed({ code: 'app' })
  expect(share).toBe('')
  expect(rollOut).toContain('for repo in app; do')
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
  expect(store).toContain("'Back.End, handbook'")
  expect(store).toContain('MINTLIFY_PROJECT_ID --body 64f0a1')
  expect(store).toContain('DOCS_APP_CLIENT_ID --body Iv23')
  expect(app + store + rollOut).not.toMatch(/octo|PROJECT_ID --body PROJECT_ID|CLIENT_ID --body CLIENT_ID/)
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
  expect(share.split('\n')[0]).toBe('org=acme shared=ci docs=handbook')
  expect(store.split('\n').every((line) => line.includes(' --org acme'))).toBe(true)
  // What the shared files call it is replaced.
  expect((store + share + rollOut).replace('octo/workflows|', '')).not.toContain('octo')
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
