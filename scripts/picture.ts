import { writeFileSync } from 'node:fs'
import type { Browser, Page as Tab } from 'playwright-core'
import { exported, INSIGHTS, VISITORS } from './demo/analytics.ts'
import { launchChromium } from './demo/chromium.ts'
import { conversation } from './demo/conversation.ts'
import { SAME_REPOSITORY } from './demo/demos.ts'
import { startPage } from './demo/page/server.ts'
import { CONVERSATION } from './demo/scenes.ts'
import { FIRST_RUN, Stage, type Story } from './demo/stage.ts'

/** `npm run picture` takes the pictures of the documentation from the demo's page: `.github/NAME-light.webp`, `-dark.webp`. */
interface Picture {
  readonly name: string
  readonly tell: (story: Story) => Promise<void>
  readonly path: string
  /** A pull request whose last commit stands below. */
  readonly pullRequest?: string
  /** Of the window, in pixels. */
  readonly width: number
  /** It reaches from the first of these elements to the last. */
  readonly shown: string
}

const SUMMARY = '.summary .text > :nth-child(-n + 5)'
/** Days that stay the same, so that the pictures do, too. */
const OCTOBER = { 'date-from': '2026-10-01', 'date-to': '2026-11-01' }
const WEEK = { 'date-from': '2026-10-05', 'date-to': '2026-10-12' }

/** Leaves the main column as wide as text is read well. */
const WIDE = 1024

const PICTURES: readonly Picture[] = [
  {
    name: 'thread',
    tell: conversation(CONVERSATION.slice(0, 1)),
    path: '1/octo/app/12',
    pullRequest: '/1/octo/app/77',
    width: 556,
    shown: 'main .post:nth-of-type(n + 2), .commit',
  },
  {
    name: 'visitors',
    tell: exported({ ...VISITORS, inputs: { ...VISITORS.inputs, ...OCTOBER } }),
    path: `1/run/${FIRST_RUN}`,
    width: WIDE,
    shown: SUMMARY,
  },
  {
    name: 'insights',
    tell: exported({ ...INSIGHTS, inputs: WEEK }, Date.parse(WEEK['date-to'])),
    path: `1/run/${FIRST_RUN}`,
    width: WIDE,
    shown: SUMMARY,
  },
]

/** Room for all of it. */
const HEIGHT = 1600
/** Sharp enough on screens of twice the density; at twice the scale the file is twice as large. */
const SCALE = 1.6
const QUALITY = 46
const MARGIN = 8
/** Without what GitHub does not have. */
const STYLE = '.markdown-body .source { display: none }'

const browser = await launchChromium()
try {
  for (const picture of PICTURES) await take(browser, picture)
} finally {
  await browser.close()
}

async function take(
  chromium: Browser,
  { name, tell, path, pullRequest, width, shown }: Picture,
): Promise<void> {
  const stage = new Stage()
  const page = await startPage(stage)
  try {
    await stage.play(name, tell, SAME_REPOSITORY)
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await chromium.newContext({ viewport: { width, height: HEIGHT }, colorScheme })
      const tab = await context.newPage()
      await tab.goto(`${page.url}${path}`)
      await tab.addStyleTag({ content: STYLE })
      if (pullRequest !== undefined) await addCommit(tab, pullRequest)
      const parts = tab.locator(shown)
      await parts.first().waitFor()
      if ((await tab.locator('code.language-mermaid').count()) > 0)
        await tab.locator('code.language-mermaid svg').waitFor()
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
      const { data } = await session.send('Page.captureScreenshot', {
        format: 'webp',
        quality: QUALITY,
        clip,
      })
      writeFileSync(
        new URL(`../.github/${name}-${colorScheme}.webp`, import.meta.url),
        Buffer.from(data, 'base64'),
      )
      await context.close()
    }
  } finally {
    await page.close()
  }
}

/** Beside the main column: what stands in it is rendered anew at each change. */
async function addCommit(tab: Tab, path: string): Promise<void> {
  await tab.evaluate(`(async () => {
    const text = await (await fetch(${JSON.stringify(path)})).text()
    const commits = new DOMParser().parseFromString(text, 'text/html').querySelectorAll('.commit')
    document.getElementById('main').after([...commits].at(-1))
  })()`)
}
