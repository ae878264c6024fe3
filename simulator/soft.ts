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
import { PULL, REPOSITORY, written } from './world.ts'

// What people are glad to find, and what no promise holds: how often it is late (a run ended without it, and a sweep
// brought it), there twice, or missing in the end.

/** The last that a request sent, with the docs' pull request that it led to, if that is in the repository. */
interface Result {
  readonly history: History
  readonly request: Request
  readonly sent: Sent
  readonly pull: { readonly number: number; readonly told: readonly string[] } | undefined
}

/** How many there are of what should be there once; undefined where it is not called for. */
type Count = (result: Result) => number | undefined

const ENDS: ReadonlySet<string> = new Set(['rocket', '+1', 'confused'])
const STOPS_MS = 5000

const SOFT: Readonly<Record<string, Count>> = {
  /** One that says how it ended, and none that says that it goes on. */
  reactions({ history: { world }, request: { event } }) {
    const { comment } = event
    if (comment === undefined || world.interferences.some((name) => name.endsWith('-trigger'))) return
    const all = world.emulator.github.reactions(comment.kind, comment.id).map(({ content }) => content)
    return all.includes('eyes') ? 0 : all.filter((content) => ENDS.has(content)).length
  },
  results({ history: { world }, request, sent: { thread = 0 } }) {
    if (isOfCode(request)) return
    const own = written(world, thread).filter(({ body }) => body.includes(`/actions/runs/${request.runId}`))
    return own.filter(({ body }) => !body.includes('The docs agent is working')).length
  },
  /** Each thread that sends to the job leads back from it once. */
  'links back'({ history, sent: { jobId }, pull }) {
    const links = pull?.told.filter((body) => body.startsWith('This pull request answers')).length
    const toJob = sentBy(history, history.requests).filter((sent) => sent.jobId === jobId)
    const threads = new Set(toJob.map(({ thread }) => thread)).size
    return links && Math.min(links, 1 + Math.max(0, links - threads))
  },
  labels({ history: { world }, request: { inputs }, pull }) {
    if (!inputs.labels || pull === undefined || world.interferences.includes('take-away')) return
    const { labels } = world.emulator.github.issue(pull.number)
    return inputs.labels.split(',').every((name) => labels.includes(name.trim())) ? 1 : 0
  },
  reviewers({ history: { world }, request: { inputs }, pull }) {
    if (!inputs.reviewers?.includes('bob') || pull === undefined) return
    if (world.interferences.includes('take-away')) return
    return world.emulator.github.pull(pull.number).requestedReviewers.includes('bob') ? 1 : 0
  },
  /** Where an event told so while the job's pull request was open, and nothing was asked after that. */
  'words about the end of the code'({ history, request, pull }) {
    const later = history.requests.slice(history.requests.indexOf(request) + 1)
    const isEnd = later.some(({ ask }) => ask.event === 'code-merged' || ask.event === 'code-closed')
    const isLast = !later.some((other) => other.thread === PULL && sentBy(history, [other]).length > 0)
    if (request.thread !== PULL || !isEnd || !isLast) return
    return pull?.told.filter((body) => /is merged|was closed/.test(body)).length
  },
  'ends within five seconds of a cancel'({ request }) {
    const cancelled = request.runs.find(({ main }) => main.cancelledAt !== undefined)?.main
    return cancelled && (cancelled.endedAt - (cancelled.cancelledAt ?? 0) <= STOPS_MS ? 1 : 0)
  },
}

interface Reading {
  readonly what: string
  readonly of: string
  readonly found: number
}

/** Takes stock when all runs have ended, and again after the sweeps. */
export const softNow = (history: History): readonly Reading[] =>
  resultsOf(history).flatMap((result) =>
    Object.entries(SOFT).flatMap(([what, count]) => {
      const found = count(result)
      return found === undefined ? [] : [{ what, of: result.request.name, found }]
    }),
  )

export const softAfterSweeps = (history: History, before: readonly Reading[]): Tally =>
  softNow(history)
    .map(({ what, of, found }): Tally => {
      const had = before.find((one) => one.what === what && one.of === of)?.found ?? 0
      const is = (fact: boolean) => (fact ? 1 : 0)
      const late = is(found > 0 && had === 0)
      return { [what]: { all: 1, late, double: is(found > 1), missing: is(found === 0) } }
    })
    .reduce<Tally>(sum, {})

/** Of requests whose job is over, and whose run was there to see that. */
const resultsOf = (history: History): readonly Result[] =>
  history.requests.flatMap((request) => {
    const { world } = history
    const sent = sentBy(history, [request]).at(-1)
    const job = world.emulator.service.job(sent?.jobId ?? '')
    if (!sent?.isKnown || job?.status !== 'completed' || isAtWork(world, job.id)) return []
    if (!canRemember(history, request) || outcomeOf(request.runs.at(-1)?.main) === 'started') return []
    const { repository, number = 0 } = pullOf(world, job.prLink ?? '') ?? {}
    const isOther = repository === REPOSITORY && number !== sent.thread && !world.touched.has(number)
    const told = isOther ? written(world, number).map(({ body }) => withoutRecord(body)) : []
    return [{ history, request, sent, pull: isOther ? { number, told } : undefined }]
  })
