import { writeFileSync } from 'node:fs'
import type { Browser, Page as Tab } from 'playwright-core'
import { launchChromium } from './demo/chromium.ts'
import { type Page, startPage } from './demo/page/server.ts'
import { PICTURES, type Picture } from './demo/pictures.ts'
import { Stage } from './demo/stage.ts'

/** Takes the pictures of the documentation from the demo's page, and writes their words beside them: `npm run picture`. */

const SCHEMES = ['light', 'dark'] as const
type Scheme = (typeof SCHEMES)[number]

/** Room for all of it. */
const HEIGHT = 1600
/** Sharp enough on screens of twice the density; at twice the scale the file is twice as large. */
const SCALE = 1.6
const QUALITY = 46
const MARGIN = 8
/** Without what GitHub does not have. */
const STYLE = '.source { display: none }'

const browser = await launchChromium()
try {
  for (const picture of PICTURES) await makePicture(browser, picture)
} finally {
  await browser.close()
}

async function makePicture(chromium: Browser, picture: Picture): Promise<void> {
  const stage = new Stage()
  const page = await startPage(stage)
  try {
    const problem = await picture.play(stage)
    const [story] = stage.stories
    if (problem !== '' || story === undefined)
      throw new Error(`${picture.name} did not end as expected: ${problem}`)
    write(`${picture.name}.txt`, Buffer.from(picture.words(story)))
    for (const scheme of SCHEMES)
      write(`${picture.name}-${scheme}.webp`, await take(chromium, page, picture, scheme))
  } finally {
    await page.close()
  }
}

function write(name: string, content: Buffer): void {
  writeFileSync(new URL(`../.github/${name}`, import.meta.url), content)
  process.stdout.write(`.github/${name}: ${content.length} bytes\n`)
}

async function take(
  chromium: Browser,
  page: Page,
  { path, pullRequest, width, shown }: Picture,
  colorScheme: Scheme,
): Promise<Buffer> {
  const context = await chromium.newContext({ viewport: { width, height: HEIGHT }, colorScheme })
  const tab = await context.newPage()
  await tab.goto(`${page.url}${path}`)
  await tab.addStyleTag({ content: STYLE })
  if (pullRequest !== undefined) await addFiles(tab, `/${pullRequest}`)
  const parts = tab.locator(shown)
  await parts.first().waitFor()
  if ((await tab.locator('main code.language-mermaid, main .chart').count()) > 0)
    await tab.locator('main .chart svg').waitFor()
  const first = await parts.first().boundingBox()
  const last = await parts.last().boundingBox()
  if (first === null || last === null) throw new Error(`The page shows no ${shown}`)
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

/** Beside the main column: what stands in it is rendered anew at each change. */
async function addFiles(tab: Tab, path: string): Promise<void> {
  await tab.evaluate(`(async () => {
    const text = await (await fetch(${JSON.stringify(path)})).text()
    const page = new DOMParser().parseFromString(text, 'text/html')
    document.getElementById('main').after(...page.querySelectorAll('.file'))
  })()`)
}
