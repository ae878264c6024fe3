import type { Author, PostView, ReactionView } from '../view/state.ts'
import { drawCharts } from './chart.ts'
import { element, markdown, time } from './dom.ts'
import { drawEmoji, emoji } from './emoji.ts'

const HUES = 6

/** A comment, or the text that a thread opens with. */
export function postElement(post: PostView, verb: string): HTMLElement {
  const { author, at, edited, html, source, reactions } = post
  const rendered =
    html === ''
      ? element('div', { class: 'markdown-body' }, element('em', {}, 'No description.'))
      : markdown(html)
  drawEmoji(rendered)
  void drawCharts(rendered)
  const head = element(
    'div',
    { class: 'head' },
    element('strong', {}, author.login),
    ...(author.isBot ? [element('span', { class: 'badge' }, 'bot')] : []),
    element('span', { class: 'verb' }, verb),
    element('span', {}, time(at), edited ? ' · edited' : ''),
    sourceSwitch(rendered, source),
  )
  const box = element('div', { class: 'box' }, head, rendered)
  if (reactions.length > 0) box.append(element('div', { class: 'reactions' }, ...reactions.map(reaction)))
  return element('article', { class: 'post' }, avatar(author), box)
}

/** Shows what was written, the hidden record included. */
function sourceSwitch(rendered: HTMLElement, source: string): HTMLElement {
  const raw = element('pre', { class: 'source' }, source)
  const button = element('button', { type: 'button', 'aria-pressed': 'false' }, 'Source')
  button.addEventListener('click', () => {
    const toRaw = rendered.isConnected
    if (toRaw) rendered.replaceWith(raw)
    else raw.replaceWith(rendered)
    button.setAttribute('aria-pressed', String(toRaw))
  })
  return button
}

const reaction = ({ emoji: character, logins }: ReactionView): HTMLElement =>
  element('span', { class: 'reaction', title: logins.join(', ') }, emoji(character), ` ${logins.length}`)

export function avatar({ login, isBot }: Author): HTMLElement {
  const hash = [...login].reduce((sum, letter) => (sum * 7 + (letter.codePointAt(0) ?? 0)) % 997, 0)
  const shape = isBot ? 'avatar app' : `avatar hue-${hash % HUES}`
  return element('span', { class: shape, 'aria-hidden': 'true' }, login.slice(0, 1).toUpperCase())
}
