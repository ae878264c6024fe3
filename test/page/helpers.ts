import type { Browser, Page as Tab } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest'
import { launchChromium } from '../../scripts/demo/chromium.ts'
import { startPage } from '../../scripts/demo/page/server.ts'
import { Stage } from '../../scripts/demo/stage.ts'
import { HANGS_AFTER_MS } from '../helpers/hangs.ts'

export const WIDE = { width: 1280, height: 900 }
export const PHONE = { width: 390, height: 844 }

let browser: Browser | undefined

/** To be called once a file, before its tests. */
export function useChromium(): void {
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())
}

/** A stage with its page in a tab. When the test ends, the tab must have had no errors, and sent no requests to other sites. */
export async function look(): Promise<{ readonly stage: Stage; readonly tab: Tab }> {
  // The stories tell themselves in the terminal as well.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const stage = new Stage()
  const page = await startPage(stage)
  if (browser === undefined) throw new Error('useChromium() comes first')
  const context = await browser.newContext({ viewport: WIDE })
  const tab = await context.newPage()
  tab.setDefaultTimeout(HANGS_AFTER_MS)
  const complaints: string[] = []
  tab.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  tab.on('pageerror', (error) => complaints.push(String(error)))
  tab.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  tab.on('request', (request) => {
    if (!request.url().startsWith(page.url) && !request.url().startsWith('data:'))
      complaints.push(`request to ${request.url()}`)
  })
  onTestFinished(async () => {
    await context.close()
    await page.close()
    expect(complaints).toEqual([])
  })
  await tab.goto(page.url)
  return { stage, tab }
}

/** How much wider the page is than the window. */
export const overhang = (tab: Tab): Promise<number> =>
  tab.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
