import { fileURLToPath } from 'node:url'
import { type Emulator, startEmulator } from '../../emulator/emulator.ts'
import { userOf } from '../../emulator/github/model.ts'
import type { RequestEntry } from '../../emulator/requests.ts'
import { type RunResult, runAction } from '../../emulator/runner.ts'
import { writeMarker } from '../../src/core/marker.ts'
import { decimal, type Report } from './table.ts'

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
const SWEEPS_A_DAY = 72

type Span = readonly [from: number, to: number]

interface Swept {
  readonly emulator: Emulator
  readonly result: RunResult
  readonly wallMs: number
  /** While at least one request was at a server. */
  readonly serverMs: number
}

/** A sweep over a busy repository, through the bundle and real sockets (issue 5). */
export async function collect(): Promise<Report> {
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
    note: `A sweep over ${COMMENTS} comments in ${THREADS} threads, with ${THREADS} open jobs of which ${ENDED} have ended; each answer takes ${ANSWER_MS} ms. With pull requests in the same repository, each gets its pointer for two requests more.`,
    head: ['', 'pull requests elsewhere', 'in the same repository'],
    rows: [
      row('jobs reported', ({ result }) => Number(result.outputs.finished)),
      row('pages of comments', ({ emulator }) => emulator.requests.filter(isPage).length),
      row('reads of jobs', ({ emulator }) => emulator.requests.filter(isRead).length),
      row('other requests but for reactions', (sweep) => requests(sweep) - THREADS - COMMENTS / 100),
      row('requests for reactions', ({ emulator }) => emulator.requests.filter(isReaction).length),
      row('ms from spawn to end', ({ wallMs }) => wallMs),
      row('ms of it with the servers', ({ serverMs }) => serverMs),
      ...minutes(elsewhere.wallMs).map(([name, sum, total]) => [name, sum, decimal(total)]),
    ],
    goals: [
      goal('requests but for reactions', requests(elsewhere), 20 + THREADS + 3 * ENDED),
      goal('reads of one job', mostReads(elsewhere), 1),
      goal('beyond the servers’ own time', (elsewhere.wallMs - elsewhere.serverMs) / 1000, 10, ' s'),
    ],
  }
}

/** GitHub bills every job of a workflow by whole minutes. */
function minutes(sweepMs: number): (readonly [name: string, sum: string, total: number])[] {
  const billed = (seconds: number) => Math.ceil((seconds + RUNNER_S) / 60)
  const [waiting, starting, sweep] = [billed(JOB_MINUTES * 60), billed(START_S), billed(sweepMs / 1000)]
  const jobs = `${THREADS} jobs of ${JOB_MINUTES} minutes`
  const atOnce = `${THREADS} × ${starting} + ${sweep}`
  const scheduled = `${THREADS} × ${starting} + ${SWEEPS_A_DAY} × ${sweep}`
  const opened = `${scheduled} + ${THREADS} × ${sweep}`
  const started = THREADS * starting
  return [
    [`minutes billed for ${jobs}: waiting`, `${THREADS} × ${waiting}`, THREADS * waiting],
    ['  collected by one sweep', atOnce, started + sweep],
    ['  by a day of sweeps each 20 minutes', scheduled, started + SWEEPS_A_DAY * sweep],
    ['  and one for each pull request', opened, started + (SWEEPS_A_DAY + THREADS) * sweep],
  ]
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
    const marker = writeMarker(
      {
        key: `key-${thread}`,
        state: 'open',
        job,
        status: 'active',
        pr: '',
        run: '9000001.1',
        until: 0,
        at: now,
        from: now,
        messaged: 0,
        asker: 'alice',
        comment: `issue:${asked.id}`,
        eyes: reaction.id,
      },
      { apiKey: settings.apiKey, projectId: settings.projectId, repository: settings.repository, thread },
    )
    github.addComment(thread, { login: BOT, body: `The docs agent is working.\n\n${marker}` })
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
