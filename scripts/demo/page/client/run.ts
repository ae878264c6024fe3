import type { RunView } from '../view/state.ts'
import { drawCharts } from './chart.ts'
import { element, keep, markdown, time } from './dom.ts'
import { drawEmoji } from './emoji.ts'
import { icon } from './icons.ts'

export function runParts(run: RunView): HTMLElement[] {
  const { key, log, summary, state, outcome, seconds } = run
  return [
    keep(`head ${key}`, [state, outcome, seconds], () => head(run)),
    ...(summary === '' ? [] : [keep(`summary ${key}`, summary, summaryBox)]),
    keep(`log ${key}`, log, logBox),
  ]
}

function head({ title, event, state, outcome, startedAt, seconds, thread }: RunView): HTMLElement {
  const facts = element(
    'span',
    {},
    `${event} at `,
    time(startedAt),
    seconds === null ? '' : ` · ${seconds} s`,
  )
  if (thread) facts.append(' · ', element('a', { href: `#/${thread.key}` }, thread.name))
  return element(
    'div',
    { class: 'title' },
    element('small', {}, 'Run'),
    element('h1', {}, title),
    element(
      'p',
      {},
      element('span', { class: `state ${state}` }, icon(state, state), outcome || state),
      facts,
    ),
  )
}

function summaryBox(html: string): HTMLElement {
  const body = markdown(html)
  drawEmoji(body)
  void drawCharts(body)
  return element('section', { class: 'box summary' }, element('h2', { class: 'head' }, 'Step summary'), body)
}

const logBox = (lines: readonly string[]): HTMLElement =>
  element(
    'section',
    { class: 'box log' },
    element('h2', { class: 'head' }, 'Log'),
    element('pre', {}, lines.length === 0 ? '…' : lines.join('\n')),
  )
