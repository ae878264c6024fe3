import { fileURLToPath } from 'node:url'
import { type Emulator, startEmulator } from '../../emulator/emulator.ts'
import { userOf } from '../../emulator/github/model.ts'
import { hash } from '../../emulator/random.ts'
import type { RequestEntry } from '../../emulator/requests.ts'
import { type RunResult, runAction } from '../../emulator/runner.ts'
import { pauseMs } from '../../src/agent/poll.ts'
import { rememberedJob } from '../../src/request/job.ts'
import { signRecord } from '../../src/request/record.ts'
import { decimal, mean, type Report } from './table.ts'

const COLLECT = fileURLToPath(new URL('../../collect/action.yml', import.meta.url))
const BOT = 'github-actions[bot]'
const THREADS = 100
const COMMENTS = 2_000
const ENDED = 60
/** Every answer of either server takes so long: about what GitHub takes. */
const ANSWER_MS = 80
/** From the start of a runner to the first step, and from the last one to the end; not measured here. */
const RUNNER_S = 10
/** Starting a job without waiting, generously. */
const START_S = 5
const JOB_MINUTES = 8
const JOBS_A_DAY = 100
const SWEEPS_A_DAY = 72
const SWEEP_EVERY_S = 1200

type Span = readonly [from: number, to: number]

interface Swept {
  readonly emulator: Emulator
  readonly result: RunResult
  readonly wallMs: number
  /** While at least one request was at a server. */
  readonly serverMs: number
}

/** A sweep over a busy repository, through the bundle and real sockets. */
export async function collect(): Promise<readonly Report[]> {
  return [await sweepReport(), await ways()]
}

async function sweepReport(): Promise<Report> {
  const elsewhere = await swept('octo/docs')
  const here = await swept('octo/app')
  const reported = Number(elsewhere.result.outputs.finished)
  if (reported !== ENDED || here.result.outputs.finished !== String(ENDED))
    throw new Error(elsewhere.result.log)
  const row = (name: string, of: (sweep: Swept) => number) => [
    name,
    decimal(of(elsewhere)),
    decimal(of(here)),
  ]
  const goal = (what: string, value: number, limit: number, unit = '') => ({ what, value, limit, unit })
  return {
    title: 'Collect',
    note: `A sweep over ${COMMENTS} comments in ${THREADS} threads, with ${THREADS} open jobs of which ${ENDED} have ended; each answer takes ${ANSWER_MS} ms. With pull requests in the same repository, each gets its link comment for two requests more.`,
    head: ['', 'pull requests elsewhere', 'in the same repository'],
    rows: [
      row('jobs reported', ({ result }) => Number(result.outputs.finished)),
      row('pages of comments', ({ emulator }) => emulator.requests.filter(isPage).length),
      row('reads of jobs', ({ emulator }) => emulator.requests.filter(isRead).length),
      row('other requests but for reactions', (sweep) => requests(sweep) - THREADS - COMMENTS / 100),
      row('requests for reactions', ({ emulator }) => emulator.requests.filter(isReaction).length),
      row('ms from spawn to end', ({ wallMs }) => wallMs),
      row('ms of it with the servers', ({ serverMs }) => serverMs),
    ],
    goals: [
      goal('requests but for reactions', requests(elsewhere), 20 + THREADS + 3 * ENDED),
      goal('reads of one job', mostReads(elsewhere), 1),
      goal('beyond the servers’ own time', (elsewhere.wallMs - elsewhere.serverMs) / 1000, 10, ' s'),
    ],
  }
}

/** One way to hear of the end of a job: what GitHub bills, and how late the thread shows it. */
interface Way {
  readonly name: string
  readonly minutes: number
  readonly delayS: number
}

/** GitHub bills every job of a workflow by whole minutes. */
const billed = (seconds: number): number => Math.ceil((seconds + RUNNER_S) / 60)

/**
 * Jobs of 8 minutes, spread over a day. The agent opens its pull request some time before its job ends, which takes a
 * woken run that long to wait for.
 */
async function ways(): Promise<Report> {
  const { wallMs } = await swept('octo/app')
  const sweepS = wallMs / 1000 / ENDED + START_S
  const starts = JOBS_A_DAY * billed(START_S)
  const sweeps = SWEEPS_A_DAY * billed(sweepS)
  const pollS = mean(ENDS_S.map((_, i) => lateS((JOB_MINUTES * 60 * (i + 1)) / ENDS_S.length)))
  const wokenS = mean(
    ENDS_S.map(
      (endS) => lateS(Math.max(0, endS - RUNNER_S - START_S)) + Math.max(0, RUNNER_S + START_S - endS),
    ),
  )
  const woken = mean(ENDS_S.map((endS) => billed(Math.max(endS - RUNNER_S, 0) + START_S)))
  const all: readonly Way[] = [
    { name: 'waiting', minutes: JOBS_A_DAY * billed(JOB_MINUTES * 60), delayS: pollS },
    {
      name: 'sweeps every 20 minutes',
      minutes: starts + sweeps,
      delayS: SWEEP_EVERY_S / 2 + RUNNER_S + START_S,
    },
    {
      name: 'woken, and sweeps every 20 minutes',
      minutes: starts + sweeps + JOBS_A_DAY * woken,
      delayS: wokenS,
    },
    {
      name: 'woken, and a sweep a day',
      minutes: starts + billed(sweepS) + JOBS_A_DAY * woken,
      delayS: wokenS,
    },
  ]
  return {
    title: 'Ways to collect',
    note: `Calculated for ${JOBS_A_DAY} jobs of ${JOB_MINUTES} minutes in a day, with ${RUNNER_S} s for the start of a runner and ${START_S} s for a short run. The pull request opens 0 to 2 minutes before its job ends.`,
    head: ['', 'billed minutes', 'mean delay (s)'],
    rows: all.map(({ name, minutes, delayS }) => [name, decimal(minutes, 0), decimal(delayS, 0)]),
    goals: [],
  }
}

/** From the opening of the pull request to the end of the job, in seconds: an assumption, as no service tells it. */
const ENDS_S = Array.from({ length: 25 }, (_, i) => i * 5)

/** From the end of a job to the read that sees it, if reads begin so many seconds before the end. */
function lateS(aheadS: number): number {
  let at = 0
  while (at < aheadS * 1000) at += pauseMs(at, 15_000, () => 0.5)
  return at / 1000 - aheadS
}

const isReaction = ({ path }: RequestEntry): boolean => path.includes('/reactions')
const isPage = ({ path }: RequestEntry): boolean => path.endsWith('/issues/comments')
const isRead = ({ host, method }: RequestEntry): boolean => host === 'service' && method === 'GET'

const requests = ({ emulator }: Swept) => emulator.requests.filter((entry) => !isReaction(entry)).length

function mostReads({ emulator }: Swept): number {
  const reads = emulator.requests.filter(isRead)
  return Math.max(...[...Map.groupBy(reads, ({ path }) => path).values()].map((same) => same.length))
}

async function swept(docsRepository: string): Promise<Swept> {
  const spans: Span[] = []
  const emulator = await startEmulator({
    docsRepository,
    onRequest: ({ at }) => spans.push([at, Date.now()]),
  })
  try {
    await fill(emulator)
    emulator.clearRequests()
    spans.length = 0
    emulator.faults.add({ times: Number.POSITIVE_INFINITY, fault: { kind: 'delay', ms: ANSWER_MS } })
    const from = performance.now()
    const result = await runAction({
      action: COLLECT,
      emulator,
      event: { name: 'schedule', payload: {} },
      inputs: { 'project-id': 'docs', 'api-key': 'test-key' },
    })
    const wallMs = Math.round(performance.now() - from)
    if (result.exitCode !== 0) throw new Error(result.log)
    return { emulator, result, wallMs, serverMs: union(spans) }
  } finally {
    await emulator.close()
  }
}

/** Each thread has its share of the comments; the one that asked has `eyes`, the last one is the status comment. */
async function fill(emulator: Emulator): Promise<void> {
  const { github, service, serviceUrl, settings } = emulator
  const repo = github.repository(settings.repository)
  if (repo === undefined) throw new Error('no repository')
  for (let thread = 1001; thread <= 1000 + THREADS; thread += 1) {
    const ended = thread <= 1000 + ENDED
    service.script.push(ended ? { reads: 0 } : { ending: 'active-forever' })
    const headers = { authorization: `Bearer ${settings.apiKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ prompt: 'explain' })
    const response = await fetch(`${serviceUrl}/v2/agent/docs/job`, { method: 'POST', headers, body })
    const { id: job } = (await response.json()) as { id: string }
    github.addIssue({ number: thread })
    const asked = github.addComment(thread, { login: 'alice', body: '/docs explain' })
    const { reaction } = github.react(repo, 'issue', asked.id, 'eyes', userOf(BOT))
    for (let other = 2; other < COMMENTS / THREADS; other += 1) {
      github.addComment(thread, { login: 'carol', body: `Comment ${other}` })
    }
    const now = Date.now()
    const { apiKey, projectId, repository } = settings
    const record = signRecord(
      {
        state: 'running',
        key: `key-${thread}`,
        job: rememberedJob({ jobId: job, status: 'active', prLink: '' }),
        run: '9000001.1',
        waitsUntil: 0,
        writtenAt: now,
        requestedAt: now,
        messagedAt: 0,
        requestedBy: 'alice',
        command: '/docs',
        comment: `issue:${asked.id}`,
        eyes: reaction.id,
        finish: { preview: false, reviewers: [], labels: [] },
        coversUntil: 0,
      },
      { apiKey, projectId, repositoryId: hash('repository', repository), thread },
    )
    github.addComment(thread, { login: BOT, body: `The docs agent is working.\n\n${record}` })
  }
}

/** Length of all spans together, what overlaps counted once. */
function union(spans: readonly Span[]): number {
  let [sum, end] = [0, 0]
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    sum += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return sum
}
