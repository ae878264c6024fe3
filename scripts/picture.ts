import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { READERS } from './demo/analytics.ts'
import { launchChromium } from './demo/chromium.ts'
import { CONVERSATION, request } from './demo/conversation.ts'
import { writePage } from './demo/page/page.ts'
import { type Plot, told } from './demo/story.ts'

/** `npm run picture` takes the pictures of the documentation from the demo's page: `.github/NAME-light.webp`, `-dark.webp`. */
interface Picture {
  readonly name: string
  readonly plot: Plot
  /** Of the window, in pixels. */
  readonly width: number
  /** What stands in the picture, and nothing between. */
  readonly shown: string
}

const summary = (run: number, parts: number) => `[id="1/run/${run}/1"] .text > :nth-child(-n + ${parts})`
/** Leaves the column as wide as text is read well. */
const WIDE = 720

const PICTURES: readonly Picture[] = [
  {
    name: 'thread',
    plot: { ...CONVERSATION, tell: request },
    width: 556,
    // The comments on the issue, and the commits of the pull request: the new docs, and the fix.
    shown: '[id="1/12"] .post:nth-of-type(n + 2), [id="1/77"] .commit',
  },
  { name: 'visitors', plot: READERS, width: WIDE, shown: summary(9_000_001, 8) },
  { name: 'insights', plot: READERS, width: WIDE, shown: summary(9_000_002, 7) },
]

/** Room for all of it. */
const HEIGHT = 1600
/** Sharp enough on screens of twice the density; at twice the scale the file is twice as large. */
const SCALE = 1.6
const QUALITY = 46
const MARGIN = 8

const browser = await launchChromium()
const folder = mkdtempSync(join(tmpdir(), 'docs-agent-picture-'))
try {
  for (const picture of PICTURES) await take(picture)
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}

async function take({ name, plot, width, shown }: Picture): Promise<void> {
  const url = writePage([await told(plot)], folder)
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: { width, height: HEIGHT }, colorScheme })
    const tab = await context.newPage()
    await tab.goto(url)
    if ((await tab.locator('code.language-mermaid').count()) > 0)
      await tab.locator('code.language-mermaid svg').waitFor()
    const box = await tab.evaluate<{ x: number; y: number; width: number; height: number }>(`(() => {
      const kept = [...document.querySelectorAll(${JSON.stringify(shown)})]
      for (const part of document.querySelectorAll('body *'))
        if (!kept.some((one) => one.contains(part) || part.contains(one))) part.remove()
      const [first, last] = [kept[0], kept.at(-1)].map((part) => part.getBoundingClientRect())
      return { x: first.x, y: first.y, width: first.width, height: last.bottom - first.y }
    })()`)
    const clip = {
      x: box.x - MARGIN,
      y: box.y - MARGIN,
      width: box.width + 2 * MARGIN,
      height: box.height + 2 * MARGIN,
      scale: SCALE,
    }
    // Playwright takes no WebP, which is a fraction of a PNG.
    const session = await context.newCDPSession(tab)
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip })
    const file = new URL(`../.github/${name}-${colorScheme}.webp`, import.meta.url)
    writeFileSync(file, Buffer.from(data, 'base64'))
    await context.close()
  }
}
