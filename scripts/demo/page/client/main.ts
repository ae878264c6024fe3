import type { State } from '../view/state.ts'
import { byId, fill } from './dom.ts'
import { paintLists } from './lists.ts'
import { chosen, shown } from './route.ts'
import { runParts } from './run.ts'
import { threadParts } from './thread.ts'

let state: State | undefined

function paint(): void {
  if (state === undefined) return
  const now = shown(state)
  document.body.classList.toggle('chosen', chosen() !== '')
  paintLists(state, now === undefined ? '' : now.kind === 'thread' ? now.thread.key : now.run.key)
  fill(
    byId('main'),
    now === undefined ? [] : now.kind === 'thread' ? threadParts(now.thread) : runParts(now.run),
  )
  const { verdict } = state
  say(verdict === null ? 'playing' : verdict === '' ? 'ended' : 'failed', verdict ?? '')
}

function say(what: 'playing' | 'ended' | 'failed' | 'closed', detail = ''): void {
  const status = byId('status')
  if (status.textContent === what) return
  status.textContent = what
  status.className = what
  status.title = detail
}

const events = new EventSource('/events')
events.addEventListener('message', ({ data }: MessageEvent<string>) => {
  state = JSON.parse(data) as State
  paint()
})
// The demo has ended: its content stays, and there is no server to reconnect to.
events.addEventListener('error', () => {
  events.close()
  say('closed')
})
addEventListener('hashchange', () => {
  paint()
  scrollTo(0, 0)
})
