import type { FileView, PullView, ThreadView } from '../view/state.ts'
import { element, keep } from './dom.ts'
import { icon } from './icons.ts'
import { postElement } from './post.ts'

export function threadParts(thread: ThreadView): HTMLElement[] {
  const { key, posts, pull, title, state } = thread
  return [
    keep(`head ${key}`, [title, state, pull], () => head(thread)),
    ...posts.map((post, at) =>
      keep(`post ${post.id}`, post, () => postElement(post, at === 0 ? 'opened at' : 'commented at')),
    ),
  ]
}

function head({ title, number, state, pull, repository, posts }: ThreadView): HTMLElement {
  const author = posts[0]?.author.login ?? ''
  const words = pull ? pullWords(pull, author) : [element('span', {}, `${author} opened this issue`)]
  return element(
    'div',
    { class: 'title' },
    element('small', {}, repository),
    element('h1', {}, title, element('span', {}, ` #${number}`)),
    element(
      'p',
      {},
      element('span', { class: `state ${state}` }, icon(pull ? 'pull' : 'issue', state), state),
      ...words,
    ),
    ...(pull ? [files(pull)] : []),
  )
}

function pullWords({ commits, base, head }: PullView, author: string): HTMLElement[] {
  const count = `${commits} ${commits === 1 ? 'commit' : 'commits'}`
  return [
    element(
      'span',
      {},
      `${author} wants to merge ${count} into `,
      element('code', {}, base),
      ' from ',
      element('code', {}, head),
    ),
  ]
}

const files = ({ files }: PullView): HTMLElement => element('div', { class: 'files' }, ...files.map(file))

function file({ name, additions, deletions, patch }: FileView): HTMLElement {
  const summary = element(
    'summary',
    {},
    element('code', {}, name),
    element('span', { class: 'added' }, `+${additions}`),
    element('span', { class: 'gone' }, `−${deletions}`),
  )
  const lines = patch.trimEnd().split('\n')
  return element('details', { open: '' }, summary, element('pre', {}, ...lines.map(diffLine)))
}

function diffLine(line: string): HTMLElement {
  const kind = { '+': 'line plus', '-': 'line minus', '@': 'line place' }[line.charAt(0)] ?? 'line'
  return element('span', { class: kind }, line || ' ')
}
