import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { launchChromium } from '../../scripts/demo/chromium.ts'
import { DEMOS } from '../../scripts/demo/demos.ts'
import { writePage } from '../../scripts/demo/page/page.ts'
import { keepOnly, PICTURES } from '../../scripts/demo/pictures.ts'
import { type Plot, told } from '../../scripts/demo/story.ts'
import { fileText } from '../house/files.ts'

const HOSTILE: Plot = {
  title: 'Hostile paths',
  about: '',
  async tell(story) {
    story.emulator.service.site = { rows: 40 }
    await story.run(story.schedule('Hostile paths'), {
      action: 'visitors',
      inputs: { top: '40' },
      expected: {},
    })
  },
}

const folder = mkdtempSync(join(tmpdir(), 'docs-agent-page-'))
let url = ''
let browser: Awaited<ReturnType<typeof launchChromium>> | undefined

beforeAll(async () => {
  // The stories tell themselves in the terminal as well.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  browser = await launchChromium()
  const stories = []
  for (const plot of [...DEMOS, HOSTILE]) stories.push(await told(plot))
  url = writePage(stories, folder)
})

afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The page in a window of its own, which must have nothing to complain of, nor need another file. */
async function look(viewport = { width: 1280, height: 900 }) {
  const tab = await browser?.newPage({ viewport })
  if (tab === undefined) throw new Error('There is no browser')
  const complaints: string[] = []
  tab.on('console', (message) => complaints.push(message.text()))
  tab.on('pageerror', (error) => complaints.push(String(error)))
  tab.on('dialog', (dialog) => complaints.push(dialog.message()))
  tab.on('request', (request) => {
    if (request.url() !== url && !request.url().startsWith('data:')) complaints.push(request.url())
  })
  await tab.goto(url)
  await tab.locator('code.language-mermaid svg').nth(1).waitFor()
  expect(complaints).toEqual([])
  expect(await tab.locator('a:not([href^="#"])').count()).toBe(0)
  return tab
}

/** What a thread shows, one line each. */
const entriesOf = async (thread: Locator): Promise<string[]> =>
  (await thread.locator('> :is(.post, .line, .run, .commit)').allTextContents()).map((text) =>
    text.replace(/\s+/g, ' ').trim(),
  )

test('the first screen says what is played, and that GitHub and Mintlify are emulated', async () => {
  const tab = await look()
  expect(await tab.title()).toBe('The docs agent, played')
  expect(await tab.locator('h1 + p').textContent()).toContain('GitHub and Mintlify are emulated')
  expect(await tab.locator('nav a').count()).toBe(DEMOS.length + 1)
})

test('a request is shown from the comment to the diff that fixes its late check, and to the summary', async () => {
  const tab = await look()
  const thread = tab.locator('[id="1/12"]')
  const [, , decided, asked, run, result] = await entriesOf(thread)
  expect(decided).toMatch(/^alice commented 12 Oct, 09:35 Only safe ones/)
  expect(asked).toMatch(/^alice commented 12 Oct, 09:43 \/docs write down what we decided above/)
  expect(run).toMatch(/^Workflow run, \d+ min: pull-request/)
  expect(result).toMatch(
    /^github-actions bot commented 12 Oct, .*Its 2 checks pass; failures went back to the agent once/,
  )
  const posts = thread.locator('.post')
  expect(await posts.nth(3).getByAltText('🚀').count()).toBe(1)
  const summary = thread.locator('.run .summary').first()
  expect(await summary.isVisible()).toBe(false)
  await posts.nth(4).getByRole('link', { name: 'run' }).click()
  expect(await summary.isVisible()).toBe(true)
  const said = await summary.textContent()
  expect(said).toContain('The docs agent opened octo/app#77')
  // What went along with the request.
  expect(said).toContain('Only safe ones')
  await posts.nth(4).getByRole('link', { name: 'octo/app#77' }).click()
  expect(new URL(tab.url()).hash).toBe('#1/77')
  const [first, second] = await tab.locator('[id="1/77"] .commit').allTextContents()
  expect(first).toContain('✗ links')
  expect(first).toContain('+## Retries')
  expect(second).toContain('✓ links')
  expect(second).toContain('+Only [safe requests](/reference/methods#safe) are repeated.')
})

test('pushes and merges are lines of the thread, each with the run that it caused', async () => {
  const tab = await look()
  const entries = await entriesOf(tab.locator('[id="2/30"]'))
  const runs = entries.flatMap((entry, at) =>
    entry.startsWith('Workflow run') ? [entries.slice(0, at).findLast((one) => /^alice|^bob/.test(one))] : [],
  )
  expect(runs).toEqual([
    expect.stringMatching(/^alice pushed/),
    expect.stringMatching(/^alice pushed src\/limit\.ts/),
    expect.stringMatching(/^alice pushed src\/retry\.test\.ts/),
    expect.stringMatching(/^alice rebased, and force-pushed/),
    expect.stringMatching(/^bob merged the pull request/),
  ])
  expect(entries.at(-1)).toMatch(/Pull request #30 is closed/)
  const statuses = entries.flatMap((entry) => /^(. docs .*) 12 Oct/.exec(entry)?.[1] ?? [])
  const [working, green] = ['… docs The docs agent is working', '✓ docs octo/app#77']
  // Two pushes that ask, one that doesn't, and a rebase.
  expect(statuses).toEqual([working, green, working, green, green, green])
  expect(await tab.locator('[id="2/30"] .run pre').last().textContent()).toContain('by bob on octo/app#30')
})

test('a run that fails is open, and what people do about it follows', async () => {
  const tab = await look()
  const thread = tab.locator('[id="3/40"]')
  expect(await thread.locator('.run[open] > summary').allTextContents()).toEqual([
    expect.stringContaining('unauthorized'),
    expect.stringContaining('payment-required'),
  ])
  const told = (await entriesOf(thread)).filter((entry) => /^GitHub|^bob|^alice commented/.test(entry))
  expect(told).toEqual([
    expect.stringMatching(/^GitHub blocks the merge: the status docs is error/),
    expect.stringMatching(/^bob replaced the API key/),
    expect.stringMatching(/^GitHub allows the merge: the status docs is success/),
    expect.stringMatching(/^GitHub blocks the merge/),
    expect.stringMatching(/\/docs skip because/),
    expect.stringMatching(/^GitHub allows the merge/),
    expect.stringMatching(/^bob merged/),
  ])
  const failed = await thread
    .locator('.post')
    .filter({ has: tab.getByAltText('❌') })
    .allTextContents()
  expect(failed).toEqual([expect.stringContaining('HTTP 401'), expect.stringContaining('HTTP 402')])
  await thread.locator('.post', { hasText: '28 min' }).getByRole('link', { name: 'run' }).click()
  const summary = tab.locator(`[id="${new URL(tab.url()).hash.slice(1)}"]`)
  expect(await summary.textContent()).toContain('The docs agent opened octo/app#77')
})

test('an issue is in one repository, and its docs in another', async () => {
  const tab = await look()
  expect(await tab.locator('[id="4"] h3 .muted').allTextContents()).toEqual(['octo/app#15', 'octo/docs#77'])
  await tab.locator('[id="4/15"]').getByRole('link', { name: 'octo/docs#77' }).click()
  expect(await tab.locator('[id="4/77"] .commit').textContent()).toContain('✓ links')
})

test('readers miss less after each refresh, and the agent is not asked once they miss nothing', async () => {
  const entries = await entriesOf((await look()).locator('[id="5/33"]'))
  const found = entries.flatMap((entry) => /^Its step insights, 0 s: (\d+) findings/.exec(entry)?.[1] ?? [])
  expect(found).toEqual(['9', '5', '2', '0'])
  expect(entries.at(-1)).toMatch(/^Workflow run, 0 s: skipped no-changes/)
})

test.each([1280, 390])(
  'nothing is wider than a window of %i pixels, nor does the id of a job break',
  async (width) => {
    const tab = await look({ width, height: 844 })
    await tab.evaluate("for (const run of document.querySelectorAll('.run')) run.open = true")
    expect(await tab.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    const cut =
      "[...document.querySelectorAll('.summary table')].filter((one) => one.scrollWidth > one.clientWidth)"
    expect(await tab.evaluate(`${cut}.map((one) => one.textContent)`)).toEqual([])
    const labels = "[...document.querySelectorAll('code.language-mermaid svg text')]"
    const isUnreadable =
      '(one) => one.getBoundingClientRect().height < 10 || one.getBoundingClientRect().left < one.ownerSVGElement.getBoundingClientRect().left'
    expect(await tab.evaluate<number>(`${labels}.length`)).toBeGreaterThan(5)
    expect(await tab.evaluate(`${labels}.filter(${isUnreadable}).map((one) => one.textContent)`)).toEqual([])
    const ids =
      "[...document.querySelectorAll('.summary code')].filter((one) => /j_\\w{16}$/.test(one.textContent))"
    expect(await tab.evaluate<number>(`${ids}.length`)).toBeGreaterThan(5)
    expect(await tab.evaluate(`${ids}.filter((one) => one.getClientRects().length > 1).length`)).toBe(0)
  },
)

test('7.5 a path that is markup stays text, in the table and in the chart', async () => {
  const hostile = (await look()).locator('section', { hasText: 'Hostile paths' }).last()
  expect(await hostile.locator('td code', { hasText: '=alert(1)%3E' }).count()).toBe(1)
  expect(await hostile.locator('code.language-mermaid text', { hasText: 'ert(1)%3E' }).count()).toBe(1)
  expect(await hostile.locator(':is(img:not(.emoji), script, iframe, [onerror], a)').count()).toBe(0)
})

test.each(PICTURES)(
  'the picture $name on the pages shows what the demo plays: else run `npm run picture`',
  async (picture) => {
    const tab = await browser?.newPage({ viewport: { width: picture.width, height: 1600 } })
    if (tab === undefined) throw new Error('There is no browser')
    const pictured = mkdtempSync(join(tmpdir(), 'docs-agent-picture-'))
    onTestFinished(() => rmSync(pictured, { recursive: true, force: true }))
    await tab.goto(writePage([await told(picture.plot)], pictured))
    const digests: unknown = JSON.parse(fileText('.github/pictures.json'))
    expect(digests).toHaveProperty(picture.name, (await keepOnly(tab, picture)).digest)
  },
)
