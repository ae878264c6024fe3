import type { AgentClient } from '../../src/agent/client.ts'
import { pollJob } from '../../src/agent/poll.ts'
import { cancellation } from '../../src/cancellation.ts'
import type { RetryDeps } from '../../src/http/retry.ts'
import { rememberedJob } from '../../src/request/job.ts'
import { decimal, mean, type Report } from './table.ts'

const FIXED_MS = 15_000
const SHORTEST_MS = 20_000
const LONGEST_MS = 30 * 60_000
const JOBS = 4_000

interface Sight {
  readonly lengthMs: number
  readonly reads: number
  /** From the end of the job to the read that sees it. */
  readonly lateMs: number
}

/**
 * How soon the end of a job is seen, and at the price of how many reads, by `pollJob` with its default and by a fixed
 * poll. Lengths are spread evenly on a logarithmic scale, as durations are.
 */
export async function polling(): Promise<Report> {
  const lengths = Array.from(
    { length: JOBS },
    (_, i) => SHORTEST_MS * (LONGEST_MS / SHORTEST_MS) ** ((i + 0.5) / JOBS),
  )
  const ours: Sight[] = []
  for (const length of lengths) ours.push(await followed(length))
  const fixed = lengths.map(fixedPoll)
  const row = (name: string, from: number, to: number) => {
    const within = (sights: readonly Sight[]) =>
      sights.filter(({ lengthMs }) => lengthMs >= from && lengthMs < to)
    return [name, ...cells(within(ours), within(fixed))]
  }
  const minute = 60_000
  return {
    title: 'Polling',
    note: `The real loop on a simulated clock, ${decimal(JOBS)} jobs of 20 s to 30 min, against one read every 15 s.`,
    head: ['job length', 'reads', 'fixed', 'late (s)', 'fixed', 'late (%)', 'fixed'],
    rows: [
      row('20 s to 1 min', 0, minute),
      row('1 to 2.5 min', minute, 2.5 * minute),
      row('2.5 to 10 min', 2.5 * minute, 10 * minute),
      row('10 to 30 min', 10 * minute, 31 * minute),
      row('all', 0, 31 * minute),
    ],
    goals: [
      { what: 'lateness in seconds', value: ratio(late, ours, fixed), limit: 0.5, unit: ' ×' },
      { what: 'lateness as a share of the job', value: ratio(share, ours, fixed), limit: 0.5, unit: ' ×' },
      { what: 'reads', value: ratio(reads, ours, fixed), limit: 1.5, unit: ' ×' },
    ],
  }
}

const reads = (sight: Sight): number => sight.reads
const late = (sight: Sight): number => sight.lateMs / 1000
const share = (sight: Sight): number => (100 * sight.lateMs) / sight.lengthMs

type Figure = (sight: Sight) => number

const ratio = (figure: Figure, ours: readonly Sight[], fixed: readonly Sight[]): number =>
  mean(ours.map(figure)) / mean(fixed.map(figure))

const cells = (ours: readonly Sight[], fixed: readonly Sight[]): string[] =>
  [reads, late, share].flatMap((figure) =>
    [ours, fixed].map((sights) => decimal(mean(sights.map(figure)), 1)),
  )

function fixedPoll(lengthMs: number): Sight {
  const count = Math.ceil(lengthMs / FIXED_MS)
  return { lengthMs, reads: count, lateMs: count * FIXED_MS - lengthMs }
}

/** Follows a job that ends after this long, on a clock of its own. */
async function followed(lengthMs: number): Promise<Sight> {
  let now = 0
  let count = 0
  const job = (status: string) => rememberedJob({ jobId: 'j_1', status, prLink: '' })
  const sleep = async (ms: number): Promise<void> => {
    now += ms
  }
  const never = () => Promise.reject(new Error('the bench starts no job'))
  const client: AgentClient = {
    access: { baseUrl: 'https://example.com', apiKey: 'test-key', projectId: 'docs' },
    create: never,
    message: never,
    read: async () => {
      count++
      return { job: job(now < lengthMs ? 'active' : 'completed') }
    },
  }
  const deps: RetryDeps = {
    now: () => now,
    monotonic: () => now,
    sleep,
    random: Math.random,
    fetch: never,
    core: { info: () => {} },
    cancellation: cancellation(sleep),
  }
  await pollJob(deps, client, {
    job: job('active'),
    messagedAt: undefined,
    deadline: 24 * 60 * 60_000,
    pollMs: FIXED_MS,
    startedAt: 0,
    onJob: () => {},
  })
  return { lengthMs, reads: count, lateMs: now - lengthMs }
}
