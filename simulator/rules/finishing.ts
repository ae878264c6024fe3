import {
  bodyOf,
  type History,
  isFix,
  livesOf,
  mainOf,
  outcomeOf,
  type Request,
  requestOf,
} from '../history.ts'
import type { Life } from '../life.ts'
import { recordIn } from '../records.ts'
import { agentPulls, type Message, scopeOf } from '../world.ts'
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
    // The post step goes on from what the main step said, or an earlier attempt.
    const request = requestOf(history, life)
    const before =
      request === undefined ? [] : livesOf(request).flatMap(({ footprint }) => footprint.outcomes)
    const [said = ''] = [...outcomes, ...before]
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

/** What went back to the agent of its own pull request (4.12). */
const fixesOf = ({ world }: History, request: Request): Message[] =>
  world.messages.filter(({ callId }) =>
    livesOf(request).some(({ calls }) => calls.some((call) => call.id === callId && isFix(request, call))),
  )

/** Failures go back a few times, each commit's once, from a run that the thread knows of, and the pull request is there. */
export const fixesAreFew: Rule = {
  name: 'fixes-are-few',
  clause: '4.12',
  afterLife(history, life) {
    const request = requestOf(history, life)
    // A thread that people have made forget knows of no earlier ones.
    if (request === undefined || history.world.touched.has(request.thread ?? 0)) return []
    const fixes = fixesOf(history, request)
    const most = Number(request.inputs['fix-attempts'] ?? 0)
    const shas = fixes.map(({ sha }) => sha)
    // A run that remembers nothing starts another job, whose pull request is another one.
    const ofJobs = [...Map.groupBy(fixes, ({ jobId }) => jobId).values()].map(({ length }) => length)
    const inThread = request.thread !== undefined && request.inputs.comment !== 'off'
    return [
      ...ofJobs
        .filter((many) => many > most)
        .map((many) => `${request.name} sent failures back ${many} times, not ${most}`),
      ...(new Set(shas).size < shas.length ? [`${request.name} sent the failures of one commit twice`] : []),
      ...fixes
        .filter(({ isRemembered }) => inThread && !isRemembered)
        .map(
          ({ jobId }) =>
            `${request.name} sent failures to ${jobId}, which #${request.thread} does not remember`,
        ),
      ...fixes
        .filter(({ isShown }) => inThread && !isShown)
        .map(
          ({ jobId }) =>
            `${request.name} sent failures to ${jobId} before #${request.thread} had its pull request`,
        ),
    ]
  },
}
