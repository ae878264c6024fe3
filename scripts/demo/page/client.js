// Keeps the page up to date while the demo plays, and draws its charts.

/** Each part of the page with the HTML that it was made from: what has not changed stays, with what is unfolded there. */
const sources = new WeakMap()

async function refresh() {
  const response = await fetch(location.href)
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  document.getElementById('status').replaceWith(fresh.getElementById('status'))
  for (const id of ['main', 'nav']) {
    const list = document.getElementById(id)
    const known = Map.groupBy(list.children, (part) => sources.get(part))
    const parts = [...fresh.getElementById(id).children]
    const next = parts.map((part) => known.get(part.outerHTML)?.shift() ?? remembered(part))
    if (next.length === list.children.length && next.every((part, at) => part === list.children[at])) continue
    list.replaceChildren(...next)
    draw()
  }
}

function remembered(part) {
  sources.set(part, part.outerHTML)
  return part
}

for (const list of document.querySelectorAll('main, nav')) for (const part of list.children) remembered(part)

/** A chart that cannot be drawn stays as it was written. Mermaid is large, and comes after the rest. */
function draw() {
  const nodes = document.querySelectorAll('code.language-mermaid:not([data-processed])')
  globalThis.mermaid?.run({ nodes, suppressErrors: true })
}

addEventListener('load', () => {
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'default'
  globalThis.mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    theme,
  })
  draw()
})

const events = new EventSource('/events')
events.addEventListener('message', refresh)
// The demo has ended: its content stays, and there is no server to reconnect to.
events.addEventListener('error', () => {
  events.close()
  document.getElementById('status').textContent = 'closed'
})
