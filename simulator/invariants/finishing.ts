import { pullRequestOf } from '../../src/link.ts'
import { verifyRecord } from '../../src/request/record.ts'
import { bodyOf, type History, outcomeOf, recordedIn, requestOf, threadsOf } from '../history.ts'
import type { Life } from '../life.ts'
import type { Call } from '../network.ts'
import { scopeOf } from '../world.ts'
import type { Invariant } from './invariant.ts'

const FINISHES = /^\/v1\/project\/|\/requested_reviewers$|\/issues\/\d+\/labels$/

/** Preview, reviewers and labels come after the outcome, which they never change, and touch the job's own pull request. */
export const finishingDecidesNothing: Invariant = {
  name: 'finishing-decides-nothing',
  clause: '4.10, 4.11',
  afterLife(history, life) {
    const finishing = life.calls.filter(({ path }) => FINISHES.test(path))
    if (finishing.length === 0) return []
    const { outcomes } = life.footprint
    const [said = ''] = outcomes
    return [
      ...(new Set(outcomes).size > 1 ? [`${life.name} said ${outcomes.join(', then ')}`] : []),
      ...(life.role !== 'sweep' && said === '' ? [`${life.name} finished before it said how it ended`] : []),
      ...(said === 'pull-request' && life.red ? [`${life.name} is red after ${outcomeOf(life)}`] : []),
      ...finishing
        .filter(({ path }) => !path.startsWith('/v1/') && !isOwnPull(history, life, path))
        .map(({ method, path }) => `${life.name} sent ${method} ${path}, not its own pull request`),
      ...amendments(history, life),
    ]
  },
}

/** Of a run, the pull request is in its outputs; a sweep knows those of many jobs, also of some that are gone. */
function isOwnPull({ world }: History, life: Life, path: string): boolean {
  const number = Number(/\/(?:pulls|issues)\/(\d+)\//.exec(path)?.[1])
  const remembered = threadsOf(world)
    .flatMap((thread) => recordedIn(world, thread))
    .map(({ record }) => ('job' in record ? record.job.prLink : ''))
  const links =
    life.role === 'sweep'
      ? [...world.emulator.service.jobs().map(({ prLink }) => prLink ?? ''), ...remembered]
      : [life.footprint.outputs.get('pr-link') ?? '']
  return links.some((link) => pullRequestOf(link, 'https://github.com')?.number === number)
}

const isComment = (path: string): boolean => /\/issues\/comments\/\d+$/.test(path)

/** What is written after the preview was asked for keeps the record of the result, and is written to that comment. */
function amendments(history: History, life: Life): string[] {
  const asked = life.calls.findIndex(({ path }) => path.startsWith('/v1/project/preview/'))
  const thread = requestOf(history, life)?.thread
  if (asked < 0 || thread === undefined) return []
  const scope = scopeOf(history.world, thread)
  const first = life.calls.find((call) => verifyRecord(bodyOf(call), scope)?.state === 'reported')
  const later = life.calls.slice(asked).filter(({ method, path }) => method === 'PATCH' && isComment(path))
  const stateOf = (call: Call) => {
    const record = verifyRecord(bodyOf(call), scope)
    return JSON.stringify({ ...record, writtenAt: 0, eyes: 0 })
  }
  return later
    .filter((call) => first !== undefined && stateOf(call) !== stateOf(first))
    .map(({ method, path }) => `${life.name} changed the record of its result: ${method} ${path}`)
}
