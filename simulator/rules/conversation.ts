import { asObject, asString, parseJson } from '../../src/json.ts'
import {
  asksAgain,
  cameFirstAt,
  type History,
  isFix,
  jobIdOf,
  type Recorded,
  type Request,
  sentPrompts,
  tellsOfEnd,
} from '../history.ts'
import type { Call, Life } from '../life.ts'
import { isOfRequest } from '../records.ts'
import { pullOf, wasAlone, wasMisled } from '../truth.ts'
import { REPOSITORY, trueTime, type World } from '../world.ts'
import type { Rule } from './rule.ts'

/** The thread's job gets the request. A new job, or another one, gets it only where the contract says so. */
export const jobContinued: Rule = {
  name: 'job-continued',
  clause: '4.9',
  afterMain({ history, world, request, run, life }) {
    if (wasMisled(life)) return []
    const { issues, pull_requests } = world.story.permissions
    const mayRead = issues !== 'none' && pull_requests !== 'none' && request.inputs.comment !== 'off'
    if (!mayRead || world.touched.has(request.thread ?? 0) || !wasAlone(history, request, life)) return []
    const known = latestIn(history, run.found, request.thread)
    if (asksAgain(history, request, run)) return []
    const sent = sentPrompts(world, life.calls).filter((call) => !isFix(request, call))
    return sent.flatMap((call) =>
      call.path.endsWith('/job')
        ? created(world, request, life, known)
        : continued(world, request, life, call, known),
    )
  },
}

/** GitHub's clock counts whole seconds, and two requests within two of them have no order. */
const SAME_TIME_MS = 2000

/**
 * The jobs of the thread's latest request when the run began, by when each came first; several of the same time. Where it
 * names no pull request, those that others of the thread name for its job: they stay the job's.
 */
function latestIn(history: History, found: readonly Recorded[], thread: number | undefined): Recorded[] {
  const counting = found.filter(
    (one) => one.thread === thread && one.author.endsWith('[bot]') && one.record.jobId !== '',
  )
  // What is said of the code's end is no request.
  const jobs = counting.filter(
    ({ record, body }) => isOfRequest(record) || (record.kind === 'link' && !tellsOfEnd(body)),
  )
  const cameAt = (one: Recorded) => cameFirstAt(history, one)
  const latest = Math.max(...jobs.map(cameAt))
  const own = jobs.filter((one) => cameAt(one) > latest - SAME_TIME_MS)
  const unnamed = own.filter(({ record }) => record.prLink === '').map(({ record }) => record.jobId)
  const named = counting.filter(
    (one) => !own.includes(one) && one.record.prLink !== '' && unnamed.includes(one.record.jobId),
  )
  return [...own, ...named]
}

function created(
  world: World,
  { ask, event, inputs, thread }: Request,
  life: Life,
  known: readonly Recorded[],
): string[] {
  const jobs = known.map(({ record }) => record.jobId).join(', ')
  if ((inputs['job-id'] ?? '') !== '')
    return [`${life.name} created a job, and was to continue ${inputs['job-id']}`]
  if (inputs.conversation === 'new' || (!event.byInput && ask.event === 'new')) return []
  if (known.length === 0 || known.some((one) => isOver(world, life, one))) return []
  if (inputs.conversation !== 'skip') return [`${life.name} created a job in #${thread}, which has ${jobs}`]
  // `skip` creates only where the job is at rest and no pull request of it is open.
  return known.some(({ record }) => pullOf(world, record.prLink)?.issue.state === 'open')
    ? [`${life.name} created a job, and the pull request of ${jobs} is open`]
    : []
}

function continued(
  world: World,
  { inputs, thread }: Request,
  life: Life,
  call: Call,
  known: readonly Recorded[],
): string[] {
  const jobId = jobIdOf(call)
  if (jobId === inputs['job-id']) return []
  const own = known.filter(({ record }) => record.jobId === jobId)
  if (own.length === 0) return [`${life.name} sent a message to ${jobId}, which is not the job of #${thread}`]
  // Its last turn may have named another pull request than its thread knows.
  const read = life.calls.find((one) => one.method === 'GET' && one.path.endsWith(`/job/${jobId}`))
  const named = asString(asObject(parseJson(read?.text ?? '')).prLink)
  return own
    .filter(({ record }) => named === '' || named === record.prLink)
    .filter(({ record }) => {
      const pull = pullOf(world, record.prLink)
      const closedAt = trueTime(world, pull?.issue.closedAt ?? null)
      return pull?.repository === REPOSITORY && closedAt + 1000 < life.bornAt
    })
    .map(({ record }) => `${life.name} sent a message to ${jobId}, and ${record.prLink} is closed`)
}

/** 4.9: the job is archived or gone, or its pull request is merged or closed. */
function isOver(world: World, life: Life, { record: { jobId, prLink } }: Recorded): boolean {
  const job = world.emulator.service.job(jobId)
  if (job === undefined || job.status === 'archived') return true
  const saysSo = life.calls.some(
    ({ host, path, status, text = '' }) =>
      host === 'service' &&
      path.includes(`/job/${jobId}`) &&
      ((status === 404 && text.includes('"error"')) || text.includes('"status":"archived"')),
  )
  return saysSo || [prLink, job.prLink ?? ''].some((link) => pullOf(world, link)?.issue.state === 'closed')
}
