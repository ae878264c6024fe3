import { livesOf, requestOf } from '../history.ts'
import { canRemember, couldReport, strangersOf, wasMisled } from '../truth.ts'
import { PULL } from '../world.ts'
import type { Rule } from './rule.ts'

const SETS = /^\/repos\/octo\/app\/statuses\/[\da-f]{40}$/

/** Without the permission, no person changes a commit status. */
export const noStrangerDecides: Rule = {
  name: 'no-stranger-decides',
  clause: '4.13',
  afterLife(history, life) {
    const request = requestOf(history, life)
    if (request === undefined || wasMisled(life) || strangersOf(request).length === 0) return []
    return life.calls.some(({ method, path }) => method === 'POST' && SETS.test(path))
      ? [`${life.name} sets a status for ${request.ask.sender}`]
      : []
  },
}

/** When everything has ended, and one sweep has been, no status says that the agent works. */
export const nothingStaysPending: Rule = {
  name: 'nothing-stays-pending',
  clause: '4.13, 8.3',
  afterSweep(history) {
    const { emulator, story } = history.world
    const { github, service } = emulator
    const asked = history.requests.filter(({ thread }) => thread === PULL)
    const isFair = asked.every(
      (request) =>
        canRemember(history, request) && livesOf(request).every((life) => couldReport(history.world, life)),
    )
    const sweeps = history.sweeps.every((life) => couldReport(history.world, life))
    const works = service
      .jobs()
      .some(({ id, status }) => status === 'active' && id !== history.world.foreignJob)
    if (!isFair || !sweeps || works || story.permissions.statuses !== 'write') return []
    return github
      .pull(PULL)
      .commits.map(({ sha }) => github.statuses(sha).at(-1))
      .filter((status) => status?.state === 'pending')
      .map((status) => `the status ${status?.context} of #${PULL} stays pending`)
  },
}
