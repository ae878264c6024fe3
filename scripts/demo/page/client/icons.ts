import { svgElement } from './dom.ts'

/** Signs of 16 by 16 in the colour of the text: lines, and what is filled. */
const SIGNS = {
  issue: {
    lines: 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13z',
    filled: 'M8 6.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3z',
  },
  pull: {
    lines:
      'M3.5 2a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM3.5 5v6m0 0a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM12.5 11a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zm0 0V6a2.5 2.5 0 0 0-2.5-2.5H8M10 1.5l-2 2 2 2',
    filled: '',
  },
  running: { lines: 'M8 1.5a6.5 6.5 0 1 1-6.5 6.5', filled: '' },
  success: { lines: 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM5 8.2l2.1 2.1L11 6.2', filled: '' },
  failure: {
    lines: 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6',
    filled: '',
  },
} as const

export type Sign = keyof typeof SIGNS

export function icon(sign: Sign, state: string): SVGElement {
  const svg = svgElement('svg', {
    viewBox: '0 0 16 16',
    class: `icon ${state}`,
    role: 'img',
    'aria-label': state,
  })
  for (const [kind, d] of Object.entries(SIGNS[sign])) svg.append(svgElement('path', { class: kind, d }))
  return svg
}
