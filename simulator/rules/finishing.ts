import { asArray, asObject, asString, parseJson } from '../../src/json.ts'
import { type History, isFix, livesOf, mainOf, outcomeOf, type Request, requestOf } from '../history.ts'
import type { Life } from '../life.ts'
import { couldReport, wasMisled } from '../truth.ts'
import { agentPulls, type Message } from '../world.ts'
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
    ]
  },
}

/** Of a run, the pull request is in the outputs of its main step; a sweep knows those of many jobs. */
function isOwnPull(history: History, life: Life, path: string): boolean {
  const number = Number(/\/(?:pulls|issues)\/(\d+)\//.exec(path)?.[1])
  if (life.role === 'sweep') return agentPulls(history.world).includes(number) || number > 1000
  return mainOf(history, life)?.footprint.outputs.get('pr-link')?.endsWith(`/pull/${number}`) === true
}

/** What went back to the agent of its own pull request (4.12). */
const fixesOf = ({ world }: History, request: Request, lives: readonly Life[]): Message[] =>
  world.messages.filter(({ callId }) =>
    lives.some(({ calls }) => calls.some((call) => call.id === callId && isFix(request, call))),
  )

/** Failures go back a few times, and not before people see the pull request. */
export const fixesAreFew: Rule = {
  name: 'fixes-are-few',
  clause: '4.12',
  afterLife(history, life) {
    const request = requestOf(history, life)
    // A thread that people have made forget knows of no earlier ones.
    if (request === undefined || history.world.touched.has(request.thread ?? 0)) return []
    const inThread = request.thread !== undefined && request.inputs.comment !== 'off'
    // Without comments, no run knows what the one before it sent.
    const fixes = fixesOf(history, request, inThread ? livesOf(request) : [life])
    const most = Number(request.inputs['fix-attempts'] ?? 0)
    // A run that remembers nothing starts another job, whose pull request is another one.
    const ofJobs = [...Map.groupBy(fixes, ({ jobId }) => jobId).values()].map(({ length }) => length)
    return [
      ...ofJobs
        .filter((many) => many > most)
        .map((many) => `${request.name} sent failures back ${many} times, not ${most}`),
      ...fixes
        .filter(({ isShown }) => inThread && !isShown)
        .map(
          ({ jobId }) =>
            `${request.name} sent failures to ${jobId} before #${request.thread} had its pull request`,
        ),
    ]
  },
}

/** A label or a reviewer that somebody took away from the docs' pull request does not come back. */
export const takenAwayStaysAway: Rule = {
  name: 'taken-away-stays-away',
  clause: '4.11',
  afterLife({ world }, life) {
    const sets = (of: Life) =>
      of.calls.flatMap(({ method, path, body, at, status = 500 }) => {
        const number = Number(/\/(?:pulls|issues)\/(\d+)\/(?:requested_reviewers|labels)$/.exec(path)?.[1])
        if (method !== 'POST' || !(number > 0)) return []
        const names = Object.values(asObject(parseJson(body)))
          .flatMap(asArray)
          .map(asString)
        return names.map((name) => ({ number, name, at, isSet: status < 300 }))
      })
    return sets(life).flatMap(({ number, name, at }) => {
      const gone = world.takenAway.find(
        (one) => one.number === number && one.at < at && one.names.includes(name),
      )
      // A run that was stopped may not have got as far as to write down what it had set.
      const setters = world.lives.filter((one) =>
        sets(one).some(
          (set) => set.isSet && set.name === name && set.number === number && gone && set.at <= gone.at,
        ),
      )
      const isKnown = setters.length > 0 && setters.every((setter) => couldReport(world, setter))
      return gone && isKnown && !wasMisled(life) && world.touched.size === 0
        ? [`${life.name} sets ${name} on #${number} again, which somebody took away`]
        : []
    })
  },
}
