import type { Open, Page } from './html-page.ts'

/**
 * Code comes back between marks that it does not hold.
 * @param within begins an element that stands in code
 */
export const code =
  (write: (page: Page, text: string) => void, within?: Open): Open =>
  (page, element) => {
    if (page.out.isCode) return within?.(page, element)
    const take = page.writeAside(true)
    return () => write(page, take())
  }

export function writeInlineCode({ out }: Page, text: string): void {
  if (text.trim() === '') return
  const ticks = ticksAround(text, 1)
  const pad = /^`|`$/.test(text) ? ' ' : ''
  out.verbatim(ticks + pad + text + pad + ticks)
}

export function writeCodeBlock({ out }: Page, text: string): void {
  if (text.trim() === '') return
  const fence = ticksAround(text, 3)
  out.endBlock(2)
  out.verbatim([fence, text.replace(/\n$/, ''), fence].join('\n'))
  out.endBlock(2)
}

function ticksAround(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? []
  return '`'.repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), least))
}
