import { bodyOf, type History, mainOf, outcomeOf, requestOf } from '../history.ts'
import type { Life } from '../life.ts'
import { recordIn } from '../records.ts'
import { agentPulls, scopeOf } from '../world.ts'
import type { Rule } from './rule.ts'

const FINISHES = /^\/v1\/project\/|\/requested_reviewers$|\/issues\/\d+\/labels$/

/** Preview, reviewers and labels come after the outcome, which they never change, and touch the job's own pull request. */
export const finishingDecidesNothing: Rule = {
  name: 'finishing-decides-nothing',
  clause: '4.10, 4.11',
  afterLife(history, life) {
    const finishing = life.calls.filter(({ path }) => FINISHES.test(path))
    if (finishing.length === 0) return []
    const { outcomes } = life.footprint
    // The post step goes on from what the main step said.
    const [said = ''] = [...(mainOf(history, life)?.footprint.outcomes ?? []), ...outcomes]
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

/** Of a run, the pull request is in the outputs of its main step; a sweep knows those of many jobs. */
function isOwnPull(history: History, life: Life, path: string): boolean {
  const number = Number(/\/(?:pulls|issues)\/(\d+)\//.exec(path)?.[1])
  if (life.role === 'sweep') return agentPulls(history.world).includes(number) || number > 1000
  return mainOf(history, life)?.footprint.outputs.get('pr-link')?.endsWith(`/pull/${number}`) === true
}

/** What is written to the result after the preview was asked for keeps its record, which is open while checks run (4.12). */
function amendments(history: History, life: Life): string[] {
  const asked = life.calls.findIndex(({ path }) => path.startsWith('/v1/project/preview/'))
  const thread = requestOf(history, life)?.thread
  if (asked < 0 || thread === undefined) return []
  return life.calls
    .slice(asked)
    .filter(({ method, path }) => method === 'PATCH' && /\/issues\/comments\/\d+$/.test(path))
    .filter((call) => {
      const record = recordIn(bodyOf(call), scopeOf(history.world, thread))
      return record?.kind !== 'reported' && record?.payload.checks === undefined
    })
    .map(({ method, path }) => `${life.name} changed the record of its result: ${method} ${path}`)
}
