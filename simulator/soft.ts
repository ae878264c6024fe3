import {
  canRemember,
  type History,
  isAtWork,
  isOfCode,
  outcomeOf,
  pullOf,
  type Request,
  type Sent,
  sentBy,
} from './history.ts'
import { withoutRecord } from './records.ts'
import { sum, type Tally } from './tally.ts'
import { PULL, REPOSITORY, type World, written } from './world.ts'

/**
 * What people are glad to find, and what no promise holds: how often it is late (a run ended without it, and a sweep
 * brought it), there twice, or missing in the end.
 */
interface Reading {
  readonly what: string
  readonly id: string
  readonly found: number
  readonly wanted: number
}

/** Takes stock when all runs have ended, and again after the sweeps. */
export const softNow = (history: History): readonly Reading[] =>
  lastSent(history).flatMap((sent) => [
    ...reactions(history, sent),
    ...comments(history.world, sent),
    ...onDocsPull(history, sent),
  ])

/** By what they count. */
export function softAfterSweep(history: History, before: readonly Reading[]): Tally {
  const known = new Map(before.map(({ what, id, found }) => [`${what} ${id}`, found]))
  const counts = softNow(history).map(({ what, id, found, wanted }): Tally => {
    const wasThere = (known.get(`${what} ${id}`) ?? wanted) >= wanted
    const is = (fact: boolean) => (fact ? 1 : 0)
    return {
      [what]: {
        ...{ all: 1, late: is(found >= wanted && !wasThere), double: is(found > wanted) },
        missing: is(found < wanted),
      },
    }
  })
  return counts.reduce<Tally>(sum, {})
}

export const shownSoft = (soft: Tally): string =>
  Object.entries(soft)
    .map(
      ([what, counts]) =>
        `${what}: ${Object.entries(counts)
          .map(([name, n]) => `${n} ${name}`)
          .join(', ')}`,
    )
    .join('\n')

/** The last that each request sent, if its job is over and its run was there to see that. */
const lastSent = (history: History): readonly Sent[] =>
  history.requests.flatMap((request) => {
    const last = sentBy(history, [request]).at(-1)
    const { service } = history.world.emulator
    if (last === undefined || !last.isKnown || !canRemember(history, request)) return []
    const isOver = service.job(last.jobId)?.status === 'completed' && !isAtWork(history.world, last.jobId)
    return isOver && outcomeOf(request.runs.at(-1)?.main) !== 'started' ? [last] : []
  })

const ENDS: ReadonlySet<string> = new Set(['rocket', '+1', 'confused'])

/** One that says how it ended, and none that says that it goes on. */
function reactions({ world }: History, { request }: Sent): Reading[] {
  const { comment } = request.event
  if (comment === undefined || world.interferences.some((name) => name.endsWith('-trigger'))) return []
  const all = world.emulator.github.reactions(comment.kind, comment.id).map(({ content }) => content)
  const found = all.includes('eyes') ? 0 : all.filter((content) => ENDS.has(content)).length
  return [{ what: 'reactions', id: request.name, found, wanted: 1 }]
}

/** Results in the thread. */
function comments(world: World, { request, thread = 0 }: Sent): Reading[] {
  if (isOfCode(request)) return []
  const run = `/actions/runs/${request.runId}`
  const found = written(world, thread).filter(({ body }) => withoutRecord(body).includes(run)).length
  return [{ what: 'results', id: request.name, found, wanted: 1 }]
}

/** What the docs' pull request has of it. */
function onDocsPull(history: History, { request, jobId, thread }: Sent): Reading[] {
  const { world } = history
  const pull = pullOf(world, world.emulator.service.job(jobId)?.prLink ?? '')
  if (pull?.repository !== REPOSITORY || pull.number === thread || world.touched.has(pull.number)) return []
  const { number, issue } = pull
  const told = written(world, number).map(({ body }) => withoutRecord(body))
  const id = `${request.name} #${number}`
  const links = told.filter((body) => body.startsWith('This pull request answers')).length
  const reading = (what: string, found: number): Reading => ({ what, id, found, wanted: 1 })
  return [
    // Each thread that sends to the job leads back from it once.
    reading('links back', Math.min(links, 1 + Math.max(0, links - threadsOf(history, jobId)))),
    ...(world.interferences.includes('take-away') ? [] : [...labels(request, issue.labels), ...reviewers()]),
    ...ends(history, request, told).map((found) => reading('words about the end of the code', found)),
  ]

  function labels({ inputs }: Request, has: Iterable<string>): Reading[] {
    const all = [...has]
    return (inputs.labels ?? '')
      .split(',')
      .flatMap((name) => name.trim() || [])
      .map((name) => ({ what: 'labels', id: `${id} ${name}`, found: all.includes(name) ? 1 : 0, wanted: 1 }))
  }

  function reviewers(): Reading[] {
    if (!request.inputs.reviewers?.includes('bob')) return []
    const { requestedReviewers } = world.emulator.github.pull(number)
    return [reading('reviewers', requestedReviewers.includes('bob') ? 1 : 0)]
  }
}

const threadsOf = (history: History, jobId: string): number =>
  new Set(sentBy(history, history.requests).flatMap((sent) => (sent.jobId === jobId ? [sent.thread] : [])))
    .size

/** Comments that say that the code is merged or closed, where an event told so while a job's pull request was open. */
function ends(history: History, request: Request, told: readonly string[]): number[] {
  const own = history.requests.slice(history.requests.indexOf(request) + 1)
  const end = own.find(({ ask }) => ask.event === 'code-merged' || ask.event === 'code-closed')
  const isLast = !own.some((other) => other.thread === PULL && sentBy(history, [other]).length > 0)
  if (request.thread !== PULL || end === undefined || !isLast) return []
  return [told.filter((body) => /is merged|was closed/.test(body)).length]
}
