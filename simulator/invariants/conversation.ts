import { asArray, asObject, asString, isObject, parseJson } from '../../src/json.ts'
import { type ActionRecord, verifyRecord } from '../../src/request/record.ts'
import { beforeWriting, jobIdIn, type Request, requestOf, sentPrompts } from '../history.ts'
import type { Life } from '../life.ts'
import type { Call } from '../network.ts'
import { REPOSITORY, scopeOf, type World } from '../world.ts'
import type { Invariant } from './invariant.ts'

/** The thread's job gets the request. A new job, or another one, gets it only where the contract says so. */
export const jobContinued: Invariant = {
  name: 'job-continued',
  clause: '4.9',
  afterLife(history, life) {
    const { world } = history
    const request = requestOf(history, life)
    if (request === undefined || life.role !== 'main') return []
    return sentPrompts(world, life.calls).flatMap((call) => {
      const before = life.calls.slice(0, life.calls.indexOf(call))
      const known = jobsToContinue(world, request, beforeWriting(before))
      return call.path.endsWith('/job')
        ? created(world, request, life, known)
        : continued(request, life, call, known)
    })
  },
}

function created(world: World, request: Request, life: Life, known: readonly Known[]): string[] {
  const { ask, event, inputs } = request
  if ((inputs['job-id'] ?? '') !== '')
    return [`${life.name} created a job, and was to continue ${inputs['job-id']}`]
  if (inputs.conversation === 'new' || (!event.byInput && ask.event === 'new')) return []
  if (known.length === 0 || known.some((job) => isOver(world, life, job))) return []
  if (inputs.conversation === 'skip') return skipped(world, life, known)
  return [
    `${life.name} created a job in #${request.thread}, which has ${known.map(({ id }) => id).join(', ')}`,
  ]
}

/** `skip` creates only where the job is at rest and no pull request of it is open. */
function skipped(world: World, life: Life, known: readonly Known[]): string[] {
  return known
    .filter(({ prLink }) => prLink !== '' && pullOf(world, prLink)?.state === 'open')
    .map(({ id }) => `${life.name} created a job, and the pull request of ${id} is open`)
}

function continued(request: Request, life: Life, call: Call, known: readonly Known[]): string[] {
  const jobId = decodeURIComponent(/\/job\/([^/]+)\/message$/.exec(call.path)?.[1] ?? '')
  if (jobId === request.inputs['job-id'] || known.some(({ id }) => id === jobId)) return []
  return [`${life.name} sent a message to ${jobId}, which is not the job of #${request.thread}`]
}

interface Known {
  readonly id: string
  readonly prLink: string
}

/** The job of the thread's latest request, as the process has read it from GitHub; several of the same time. */
function jobsToContinue(world: World, { thread }: Request, calls: readonly Call[]): Known[] {
  if (thread === undefined) return []
  const pages = pagesOf(calls, `/repos/${REPOSITORY}/issues/${thread}/comments`)
  const records = pages.flat().flatMap((comment): ActionRecord[] => {
    const { body, user } = asObject(comment)
    const record = verifyRecord(asString(body).replaceAll('\r\n', '\n'), scopeOf(world, thread))
    const counts = asString(asObject(user).login).endsWith('[bot]')
    return record === undefined || !counts || jobIdIn(record) === '' ? [] : [record]
  })
  const latest = Math.max(...records.map(({ requestedAt }) => requestedAt))
  return records
    .filter(({ requestedAt }) => requestedAt === latest)
    .map((record) => ({ id: jobIdIn(record), prLink: 'job' in record ? record.job.prLink : '' }))
}

/** The comments that the process has read, page by page; none where a page could not be read. */
function pagesOf(calls: readonly Call[], path: string): (readonly unknown[])[] {
  const all = calls.filter((call) => call.method === 'GET' && call.path.startsWith(`${path}?`))
  // A list with a page that is too large is read once more, in small pages.
  const small = all.filter((call) => /[?&]per_page=10(&|$)/.test(call.path))
  const tries = small.length > 0 ? small : all
  const pages = [...Map.groupBy(tries, (call) => call.path).values()].map((same) =>
    same.map(commentsIn).find((comments) => comments !== undefined),
  )
  return pages.every((page) => page !== undefined) ? pages : []
}

function commentsIn({ status, text = '' }: Call): readonly unknown[] | undefined {
  const comments = parseJson(text)
  const isWhole = Array.isArray(comments) && comments.every((comment) => isObject(comment) && 'id' in comment)
  return status === 200 && isWhole ? asArray(comments) : undefined
}

/** 4.9: the job is archived or gone, or its pull request is merged or closed. */
function isOver(world: World, life: Life, { id, prLink }: Known): boolean {
  const job = world.emulator.service.job(id)
  if (job === undefined || job.status === 'archived') return true
  const answers = life.calls.filter((call) => call.host === 'service' && call.path.includes(`/job/${id}`))
  const saysSo = answers.some(
    ({ status, text = '' }) => status === 404 || asObject(parseJson(text)).status === 'archived',
  )
  return saysSo || [prLink, job.prLink ?? ''].some((link) => pullOf(world, link)?.state === 'closed')
}

function pullOf({ emulator }: World, link: string) {
  const [, repository = '', number] = /^https:\/\/github\.com\/([^/]+\/[^/]+)\/pull\/(\d+)$/.exec(link) ?? []
  return emulator.github.repository(repository)?.issues.get(Number(number))
}
