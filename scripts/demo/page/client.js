// Keeps the page up to date while the demo plays, and draws its charts.

/** Each part of the page with the HTML that it was made from: what has not changed stays, with what is unfolded there. */
const sources = new WeakMap()

async function refresh() {
  const response = await fetch(location.href)
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  document.getElementById('status').replaceWith(fresh.getElementById('status'))
  for (const id of ['threads', 'main', 'runs']) {
    const list = document.getElementById(id)
    const known = Map.groupBy(list.children, (part) => sources.get(part))
    const parts = [...fresh.getElementById(id).children]
    const next = parts.map((part) => known.get(part.outerHTML)?.shift() ?? enhance(part))
    if (next.length !== list.children.length || next.some((part, at) => part !== list.children[at]))
      list.replaceChildren(...next)
  }
}

function enhance(part) {
  sources.set(part, part.outerHTML)
  for (const code of part.querySelectorAll('pre > code.language-mermaid')) void draw(code)
  return part
}

let charts = 0

/** A chart that cannot be drawn stays as it was written. */
async function draw(code) {
  charts += 1
  const id = `chart-${charts}`
  // Mermaid measures its labels in the place that it is given: in one that scales them they would be cut off.
  const bench = Object.assign(document.createElement('div'), { className: 'bench' })
  document.body.append(bench)
  try {
    const { svg } = await (await mermaid()).render(id, code.textContent, bench)
    const chart = Object.assign(document.createElement('div'), { className: 'chart', innerHTML: svg })
    code.parentElement.replaceWith(chart)
  } catch {
  } finally {
    bench.remove()
  }
}

let loading

/** Mermaid is large, so it comes with the first chart; it is no module. */
function mermaid() {
  loading ??= new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: '/mermaid.js' })
    script.addEventListener('error', reject)
    script.addEventListener('load', () => {
      const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'default'
      globalThis.mermaid.initialize({
        startOnLoad: false,
        securityLevel: 'strict',
        suppressErrorRendering: true,
        theme,
      })
      resolve(globalThis.mermaid)
    })
    document.head.append(script)
  })
  return loading
}

for (const list of document.querySelectorAll('nav, main')) for (const part of list.children) enhance(part)

const events = new EventSource('/events')
events.addEventListener('message', refresh)
// The demo has ended: its content stays, and there is no server to reconnect to.
events.addEventListener('error', () => {
  events.close()
  document.getElementById('status').textContent = 'closed'
})
