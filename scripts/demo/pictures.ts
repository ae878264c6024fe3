import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { READERS } from './analytics.ts'
import { CONVERSATION, request } from './conversation.ts'
import type { Plot } from './story.ts'

/** A picture of the documentation, taken of the demo's page. */
export interface Picture {
  /** `.github/NAME-light.webp`, `-dark.webp` */
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

export const PICTURES: readonly Picture[] = [
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

interface Shown {
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  /** Of the text in the picture, which is the same on every machine. */
  readonly digest: string
}

/** Takes all else from the page. */
export async function keepOnly(tab: Page, { shown }: Picture): Promise<Shown> {
  const { box, text } = await tab.evaluate<{ box: Shown['box']; text: string }>(`(() => {
    const kept = [...document.querySelectorAll(${JSON.stringify(shown)})]
    for (const part of document.querySelectorAll('body *'))
      if (!kept.some((one) => one.contains(part) || part.contains(one))) part.remove()
    const [first, last] = [kept[0], kept.at(-1)].map((part) => part.getBoundingClientRect())
    const box = { x: first.x, y: first.y, width: first.width, height: last.bottom - first.y }
    const text = kept.filter((part) => !part.matches('pre:has(.language-mermaid)')).map((part) => part.textContent).join(' ')
    return { box, text }
  })()`)
  return { box, digest: createHash('sha256').update(text.replace(/\s+/g, ' ')).digest('hex') }
}
