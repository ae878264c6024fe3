import { writeFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { launchChromium } from './demo/chromium.ts'
import { showConversation } from './demo/conversation.ts'
import { startPage } from './demo/page/server.ts'
import { PICTURE } from './demo/scenes.ts'
import { Stage } from './demo/stage.ts'

/** Plays a conversation, and takes the README's pictures of the thread as the demo's page shows it. */

const SCHEMES = ['light', 'dark'] as const
/** Leaves the thread as wide as text is read well, and room for all of it. */
const VIEWPORT = { width: 1280, height: 1600 }
/** Sharp enough on screens of twice the density; at twice the scale the file is twice as large. */
const SCALE = 1.6
const QUALITY = 60
const MARGIN = 8
/** Without the button that GitHub does not have, and the line to the post above. */
const STYLE = '.head button, .post:nth-child(2)::before { display: none }'

const stage = new Stage()
const page = await startPage(stage)
const browser = await launchChromium()
try {
  const problem = await showConversation(stage, 'A conversation', PICTURE)
  if (problem !== '') throw new Error(`The conversation did not end as it should: ${problem}`)
  for (const scheme of SCHEMES) {
    const picture = await take(browser, scheme)
    writeFileSync(new URL(`../.github/thread-${scheme}.webp`, import.meta.url), picture)
    process.stdout.write(`.github/thread-${scheme}.webp: ${picture.length} bytes\n`)
  }
} finally {
  await browser.close()
  await page.close()
}

async function take(chromium: Browser, colorScheme: (typeof SCHEMES)[number]): Promise<Buffer> {
  const context = await chromium.newContext({ viewport: VIEWPORT, colorScheme })
  const tab = await context.newPage()
  await tab.goto(`${page.url}#/1/octo/app/12`)
  await tab.addStyleTag({ content: STYLE })
  const posts = tab.locator('main .post')
  await posts.nth(PICTURE.length * 2).waitFor()
  const first = await posts.nth(1).boundingBox()
  const last = await posts.last().locator('.box').boundingBox()
  if (first === null || last === null) throw new Error('There is nothing to be seen')
  const clip = {
    x: first.x - MARGIN,
    y: first.y - MARGIN,
    width: first.width + 2 * MARGIN,
    height: last.y + last.height - first.y + 2 * MARGIN,
    scale: SCALE,
  }
  // Playwright takes no WebP, which is a fraction of a PNG.
  const session = await context.newCDPSession(tab)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip })
  await context.close()
  return Buffer.from(data, 'base64')
}
