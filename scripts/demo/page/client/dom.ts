type Attributes = Readonly<Record<string, string>>

/** An element. Text is text, whatever it holds. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

const SVG = 'http://www.w3.org/2000/svg'

/** An element of a drawing. */
export function svgElement(name: string, attributes: Attributes): SVGElement {
  const made = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

/** Markdown that the server has sanitised. */
export function markdown(html: string): HTMLElement {
  const made = element('div', { class: 'markdown-body' })
  made.innerHTML = html
  return made
}

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no #${id}`)
  return found
}

const kept = new Map<string, { readonly value: string; readonly node: HTMLElement }>()

/** Builds a part of the page anew only if what it shows has changed: what is unfolded there stays so. */
export function keep<T>(key: string, value: T, build: (value: T) => HTMLElement): HTMLElement {
  const text = JSON.stringify(value)
  const known = kept.get(key)
  if (known?.value === text) return known.node
  const node = build(value)
  kept.set(key, { value: text, node })
  return node
}

/** Sets the children, and touches nothing where they are there already. */
export function fill(parent: HTMLElement, children: readonly HTMLElement[]): void {
  const same =
    children.length === parent.children.length && children.every((child, at) => child === parent.children[at])
  if (!same) parent.replaceChildren(...children)
}

/** The time of day, with the date where that is not today. */
export function time(iso: string): HTMLElement {
  const date = new Date(iso)
  const isToday = date.toDateString() === new Date().toDateString()
  const shown = date.toLocaleString('en-GB', {
    ...(isToday ? {} : { day: 'numeric', month: 'short' }),
    hour: '2-digit',
    minute: '2-digit',
  })
  return element('time', { datetime: iso, title: iso }, shown)
}
