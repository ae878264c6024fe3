import type { RunView, State, StoryView, ThreadView } from '../view/state.ts'
import { byId, element, fill, keep } from './dom.ts'
import { icon } from './icons.ts'

/** The two lists beside what is shown, by story. */
export function paintLists({ stories }: State, current: string): void {
  const list = (name: string, itemsOf: (story: StoryView) => HTMLElement[]) =>
    stories
      .map(({ title }, at) => ({ title, items: itemsOf(stories[at] as StoryView), at }))
      .filter(({ items }) => items.length > 0)
      .map(({ title, items, at }) => {
        const section = keep(`${name} ${at}`, title, () =>
          element('section', {}, element('h3', {}, title), element('div')),
        )
        fill(section.lastElementChild as HTMLElement, items)
        return section
      })
  fill(
    byId('threads'),
    list('threads', ({ threads }) => threads.map((thread) => threadItem(thread, current))),
  )
  fill(
    byId('runs'),
    list('runs', ({ runs }) => runs.map((run) => runItem(run, current))),
  )
}

const item = (key: string, current: string, ...children: readonly (Node | string)[]): HTMLElement =>
  element('a', { href: `#/${key}`, ...(key === current ? { 'aria-current': 'page' } : {}) }, ...children)

function threadItem(thread: ThreadView, current: string): HTMLElement {
  const { key, title, repository, number, state, pull, posts } = thread
  const comments = posts.length - 1
  return keep(`item ${key}`, [key === current, title, state, comments], () =>
    item(
      key,
      current,
      icon(pull ? 'pull' : 'issue', state),
      element(
        'span',
        {},
        element('strong', {}, title),
        element(
          'small',
          {},
          `${repository}#${number} · ${comments} ${comments === 1 ? 'comment' : 'comments'}`,
        ),
      ),
    ),
  )
}

function runItem({ key, title, event, state, outcome, seconds }: RunView, current: string): HTMLElement {
  return keep(`item ${key}`, [key === current, state, outcome], () =>
    item(
      key,
      current,
      icon(state, state),
      element(
        'span',
        {},
        element('strong', {}, title),
        element(
          'small',
          {},
          [event, outcome || state, seconds === null ? '' : `${seconds} s`].filter(Boolean).join(' · '),
        ),
      ),
    ),
  )
}
