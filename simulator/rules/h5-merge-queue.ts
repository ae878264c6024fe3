import { fieldsOf, metTrouble, textOf } from '../history.ts'
import { PULL } from '../world.ts'
import { complaints, type Rule } from './rule.ts'

/** The commit of a merge queue is as green as its pull request, and never waits. */
const queueFollows: Rule = {
  promise: 'H5',
  name: 'queue-follows',
  afterMain({ world, request: { ask, event, inputs }, life }) {
    const { queued = '' } = event
    if (queued === '' || inputs['commit-status'] !== 'docs') return []
    const { github } = world.emulator
    const own = github.statuses(github.pull(PULL).head.sha).filter(({ context }) => context === 'docs')
    const before = own.findLast(({ at }) => Date.parse(at) < life.bornAt)
    // Also what came meanwhile.
    const shown = [before, ...own.filter(({ at }) => Date.parse(at) >= life.bornAt)].map((one) => one?.state)
    const set = life.calls
      .filter(({ method, path }) => method === 'POST' && path.endsWith(`/statuses/${queued}`))
      .map(({ body }) => textOf(fieldsOf(body).state))
    const isWhole = life.fate === 'ended' && life.cancelledAt === undefined && !metTrouble(life, 'github')
    const is = `${life.name}: the commit of the merge queue`
    if (ask.event === 'queue-leaves') return complaints([set.length > 0, `${is} has left, and is ${set}`])
    return complaints(
      [set.some((state) => !['success', 'error'].includes(state)), `${is} is ${set}`],
      [set.includes('success') && !shown.includes('success'), `${is} is green, and #${PULL} is ${shown}`],
      [isWhole && set.length === 0, `${is} has no status`],
      [isWhole && set.includes('error') && shown.every((one) => one === 'success'), `${is} is red`],
    )
  },
}

export const H5_QUEUE: readonly Rule[] = [queueFollows]
