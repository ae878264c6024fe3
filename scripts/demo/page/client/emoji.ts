import { element, svgElement } from './dom.ts'

/** What stands for an emoji on machines without an emoji font: shapes on 16 by 16. */
type Shape = readonly [colour: string, path: string, line?: number]

const DISC = 'M8 1a7 7 0 1 1 0 14A7 7 0 1 1 8 1z'
const TILE = 'M4 1h8a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H4a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3z'
const EYES = 'M5.5 6a1 1.2 0 1 1 0 2.4A1 1.2 0 1 1 5.5 6zM10.5 6a1 1.2 0 1 1 0 2.4A1 1.2 0 1 1 10.5 6z'
const THUMB =
  'M2 7h3v7H2zM6 7l2.6-5.5c1.6 0 2 1.2 1.6 2.5L9.6 6H13c1.2 0 1.7 1 1.4 2l-1.3 4.7c-.2.8-.9 1.3-1.7 1.3H6z'
const YELLOW = '#ffcc4d'
const BROWN = '#664500'
const WHITE = '#ffffff'

const SHAPES: Readonly<Record<string, readonly Shape[]>> = {
  '✅': [
    ['#2da44e', TILE],
    [WHITE, 'M4.5 8.3l2.4 2.4 4.6-5.2', 1.8],
  ],
  '❌': [['#d1242f', 'M3 3l10 10M13 3L3 13', 2.6]],
  ℹ️: [
    ['#2f81f7', TILE],
    [WHITE, 'M8 7.2v4.3M8 4.3v.4', 1.9],
  ],
  '⚠️': [
    [YELLOW, 'M8 1.2L15.5 14.5H.5z'],
    ['#1f2328', 'M8 5.8v4.2M8 12.2v.3', 1.6],
  ],
  '⏳': [
    ['#d4a72c', 'M3.5 1.5h9M3.5 14.5h9', 1.7],
    ['#d4a72c', 'M4.5 2.5h7c0 3-2.5 4-2.5 5.5s2.5 2.5 2.5 5.5h-7c0-3 2.5-4 2.5-5.5S4.5 5.5 4.5 2.5z', 1],
    ['#d4a72c', 'M6 4.5h4L8 7.5zM5.5 13c.6-1.7 1.7-2.3 2.5-2.8.8.5 1.9 1.1 2.5 2.8z'],
  ],
  '⏹️': [
    ['#2f81f7', TILE],
    [WHITE, 'M5 5h6v6H5z'],
  ],
  '🔒': [
    ['#8c959f', 'M5 7.5V5a3 3 0 0 1 6 0v2.5', 1.7],
    ['#d4a72c', 'M3.5 7h9a.8.8 0 0 1 .8.8V14a.8.8 0 0 1-.8.8h-9a.8.8 0 0 1-.8-.8V7.8a.8.8 0 0 1 .8-.8z'],
  ],
  '📥': [
    ['#8c959f', 'M1.5 9.5h3.5l1 2h4l1-2h3.5v5h-13z'],
    ['#2f81f7', 'M8 1.5v6.5M5.2 5.5L8 8.3l2.8-2.8', 1.8],
  ],
  '👍': [[YELLOW, THUMB]],
  '👎': [
    [
      YELLOW,
      'M2 9h3V2H2zM6 9l2.6 5.5c1.6 0 2-1.2 1.6-2.5L9.6 10H13c1.2 0 1.7-1 1.4-2l-1.3-4.7C12.9 2.5 12.2 2 11.4 2H6z',
    ],
  ],
  '😄': [
    [YELLOW, DISC],
    [BROWN, EYES],
    [BROWN, 'M4.5 9.5h7c0 4.3-7 4.3-7 0z'],
  ],
  '😕': [
    [YELLOW, DISC],
    [BROWN, EYES],
    [BROWN, 'M5.5 11.5c1-1.2 3-1.5 5-1.2', 1.2],
  ],
  '❤️': [['#d1242f', 'M8 14.3L2.3 8.6C-.6 5.2 3.8.2 8 4.3c4.2-4.1 8.6.9 5.7 4.3z']],
  '🎉': [
    ['#d4a72c', 'M1.5 14.5L5 6l5 5z'],
    ['#d1242f', 'M8 5l1-3', 1.5],
    ['#2f81f7', 'M10.5 6.5L14 3', 1.5],
    ['#2da44e', 'M11 9l3.5-.5', 1.5],
  ],
  '🚀': [
    ['#8c959f', 'M14.5 1.5C10 1.5 6.5 4 5 8l3 3c4-1.5 6.5-5 6.5-9.5z'],
    ['#2f81f7', 'M10.5 4.2a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 1 1 0-2.6z'],
    ['#d1242f', 'M6.5 4.8L2.8 6 1.5 9l3-.5zM11.2 9.5L10 13.2l-3 1.3.5-3z'],
    ['#fb8f44', 'M4.5 10L6 11.5C5 13.3 3.5 14 1.8 14.2 2 12.5 2.7 11 4.5 10z'],
  ],
  '👀': [
    [
      '#8c959f',
      'M4.3 3.3c1.6 0 2.9 2.1 2.9 4.7s-1.3 4.7-2.9 4.7S1.4 10.6 1.4 8s1.3-4.7 2.9-4.7zM11.7 3.3c1.6 0 2.9 2.1 2.9 4.7s-1.3 4.7-2.9 4.7S8.8 10.6 8.8 8s1.3-4.7 2.9-4.7z',
    ],
    [
      WHITE,
      'M4.3 4.2c1.1 0 2 1.7 2 3.8s-.9 3.8-2 3.8-2-1.7-2-3.8.9-3.8 2-3.8zM11.7 4.2c1.1 0 2 1.7 2 3.8s-.9 3.8-2 3.8-2-1.7-2-3.8.9-3.8 2-3.8z',
    ],
    ['#1f2328', 'M3.5 7a1.2 1.5 0 1 1 0 3 1.2 1.5 0 1 1 0-3zM10.9 7a1.2 1.5 0 1 1 0 3 1.2 1.5 0 1 1 0-3z'],
  ],
}

const KNOWN = new RegExp(`(${Object.keys(SHAPES).join('|')})`)

/** An emoji as a drawing. Its character stays in the text, for those who copy it or have it read to them. */
export function emoji(character: string): HTMLElement {
  const svg = svgElement('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' })
  for (const [colour, d, line] of SHAPES[character] ?? []) {
    const paint = line === undefined ? { fill: colour } : { stroke: colour, 'stroke-width': String(line) }
    svg.append(svgElement('path', { d, fill: 'none', ...paint }))
  }
  return element('span', { class: 'emoji' }, svg, element('span', {}, character))
}

/** Draws the emoji in the texts of an element. */
export function drawEmoji(within: HTMLElement): void {
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    const parts = text.data.split(KNOWN)
    if (parts.length === 1 || text.parentElement?.closest('pre, code')) continue
    text.replaceWith(...parts.filter(Boolean).map((part) => (SHAPES[part] ? emoji(part) : part)))
  }
}
