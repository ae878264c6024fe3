import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { exported, INSIGHTS, VISITORS } from '../../scripts/demo/analytics.ts'
import { launchChromium } from '../../scripts/demo/chromium.ts'
import { conversation } from '../../scripts/demo/conversation.ts'
import { SAME_REPOSITORY } from '../../scripts/demo/demos.ts'
import { writePage } from '../../scripts/demo/page/page.ts'
import { told } from '../../scripts/demo/story.ts'

const folder = mkdtempSync(join(tmpdir(), 'docs-agent-page-'))
let url = ''
let browser: Awaited<ReturnType<typeof launchChromium>> | undefined

beforeAll(async () => {
  // The stories tell themselves in the terminal as well.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const [chromium, ...stories] = await Promise.all([
    launchChromium(),
    told('A conversation', conversation(1), SAME_REPOSITORY),
    told(VISITORS.title, exported(VISITORS)),
    told(INSIGHTS.title, exported(INSIGHTS)),
    told('Hostile paths', async (story) => {
      story.emulator.service.site = { rows: 40 }
      await story.run({ title: 'Hostile paths', action: 'visitors', inputs: { top: '40' } })
    }),
  ])
  browser = chromium
  url = writePage(stories, folder)
})

afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The page in a window of its own, which must have nothing to complain of. */
async function look(viewport = { width: 1280, height: 900 }) {
  const tab = await browser?.newPage({ viewport })
  if (tab === undefined) throw new Error('There is no browser')
  const complaints: string[] = []
  tab.on('console', (message) => complaints.push(message.text()))
  tab.on('pageerror', (error) => complaints.push(String(error)))
  tab.on('dialog', (dialog) => complaints.push(dialog.message()))
  await tab.goto(url)
  await tab.locator('code.language-mermaid svg').nth(1).waitFor()
  expect(complaints).toEqual([])
  return tab
}

test('a request is shown from the comment to the diff that fixes its late check, and to the summary', async () => {
  const tab = await look()
  const section = (id: string) => tab.locator(`[id="${id}"]`)
  const posts = section('1/octo/app/12').locator('.post')
  expect(await posts.count()).toBe(3)
  expect(await posts.nth(1).getByAltText('🚀').count()).toBe(1)
  expect(await posts.nth(2).textContent()).toContain('The check links failed first; the agent fixed it')
  await posts.nth(2).getByRole('link', { name: 'octo/app#77' }).click()
  expect(new URL(tab.url()).hash).toBe('#1/octo/app/77')
  const [first, second] = await section('1/octo/app/77').locator('.commit').allTextContents()
  expect(first).toContain('✗ links')
  expect(second).toContain('✓ links')
  expect(second).toContain('+Only [safe requests](/reference/methods#safe) are repeated.')
  expect(await tab.locator('.summary').first().textContent()).toContain('The docs agent opened octo/app#77')
})

test.each([1280, 390])('nothing is wider than a window of %i pixels', async (width) => {
  const tab = await look({ width, height: 844 })
  expect(await tab.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  const cut =
    "[...document.querySelectorAll('.summary table')].filter((one) => one.scrollWidth > one.clientWidth)"
  expect(await tab.evaluate(`${cut}.map((one) => one.textContent)`)).toEqual([])
})

test('7.5 a path that is markup stays text, in the table and in the chart', async () => {
  const hostile = (await look()).locator('section', { hasText: 'Hostile paths' }).last()
  expect(await hostile.locator('td code', { hasText: 'onerror=alert(1)>' }).count()).toBe(1)
  expect(await hostile.locator('code.language-mermaid text', { hasText: '=alert(1)›' }).count()).toBe(1)
  expect(await hostile.locator(':is(img:not(.emoji), script, iframe, [onerror], a)').count()).toBe(0)
})
