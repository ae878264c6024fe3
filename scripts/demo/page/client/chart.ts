import { element } from './dom.ts'

interface Mermaid {
  initialize(config: Readonly<Record<string, unknown>>): void
  render(id: string, text: string, bench: Element): Promise<{ readonly svg: string }>
}

let loading: Promise<Mermaid> | undefined
let charts = 0

/** Draws the Mermaid charts of a text. One that cannot be drawn stays as it was written. */
export async function drawCharts(body: HTMLElement): Promise<void> {
  for (const code of body.querySelectorAll('pre > code.language-mermaid')) {
    const svg = await draw(code.textContent ?? '').catch(() => '')
    if (svg === '') continue
    const chart = element('div', { class: 'chart' })
    chart.innerHTML = svg
    code.parentElement?.replaceWith(chart)
  }
}

async function draw(text: string): Promise<string> {
  const { render } = await mermaid()
  // Mermaid measures its labels in the place that it is given: in one that scales them they would be cut off.
  const bench = element('div', { class: 'bench' })
  document.body.append(bench)
  try {
    charts += 1
    return (await render(`chart-${charts}`, text, bench)).svg
  } finally {
    bench.remove()
  }
}

/** Mermaid is large, so it comes with the first chart. */
function mermaid(): Promise<Mermaid> {
  loading ??= load()
  return loading
}

async function load(): Promise<Mermaid> {
  const script = element('script', { src: '/mermaid.js' })
  await new Promise((resolve, reject) => {
    script.addEventListener('load', resolve)
    script.addEventListener('error', reject)
    document.head.append(script)
  })
  const { mermaid: loaded } = globalThis as unknown as { readonly mermaid: Mermaid }
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'default'
  loaded.initialize({ startOnLoad: false, securityLevel: 'strict', suppressErrorRendering: true, theme })
  return loaded
}
