import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchChromium } from './demo/chromium.ts'
import { writePage } from './demo/page/page.ts'
import { keepOnly, PICTURES, type Picture } from './demo/pictures.ts'
import { told } from './demo/story.ts'

// `npm run picture` takes the pictures of the documentation from the demo's page, and notes what they show in
// `.github/pictures.json`, so that a test notices when the demo has moved on.

/** Room for all of it. */
const HEIGHT = 1600
/** Sharp enough on screens of twice the density; at twice the scale the file is twice as large. */
const SCALE = 1.6
const QUALITY = 46
const MARGIN = 8

const browser = await launchChromium()
const folder = mkdtempSync(join(tmpdir(), 'docs-agent-picture-'))
try {
  const digests: Record<string, string> = {}
  for (const picture of PICTURES) digests[picture.name] = await take(picture)
  writeFileSync(new URL('../.github/pictures.json', import.meta.url), `${JSON.stringify(digests, null, 2)}\n`)
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}

/** @returns the digest of what it shows */
async function take(picture: Picture): Promise<string> {
  const { name, plot, width } = picture
  const url = writePage([await told(plot)], folder)
  let shown = ''
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: { width, height: HEIGHT }, colorScheme })
    const tab = await context.newPage()
    await tab.goto(url)
    if ((await tab.locator('code.language-mermaid').count()) > 0)
      await tab.locator('code.language-mermaid svg').waitFor()
    const { box, digest } = await keepOnly(tab, picture)
    shown = digest
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
  return shown
}
