import { MINUTE_MS } from './minutes/bill.ts'
import type { Ci } from './minutes/ci.ts'
import { type Plan, type Played, play } from './minutes/play.ts'
import type { Report } from './table.ts'

/** Rounds of fixes. */
const ROUNDS = [0, 1, 2]
const CI: readonly Ci[] = [{ name: 'CI', ms: 5 * MINUTE_MS }]
const THREE: readonly Ci[] = [...CI, { name: 'lint', ms: MINUTE_MS }, { name: 'links', ms: 3 * MINUTE_MS }]
const ON_EVENTS = { wait: false, on: ['workflow_run', 'schedule'], ci: CI } as const
const APART = { wait: false, on: ['repository_dispatch', 'schedule'], ci: CI, isApart: true } as const

export const WAYS = {
  'a run waits': { wait: true, on: [], ci: CI },
  workflow_run: ON_EVENTS,
  'pull_request and status': {
    ...{ wait: false, on: ['pull_request', 'status', 'schedule'], named: ['other 1'] },
    ci: [{ name: 'other', ms: 5 * MINUTE_MS, isOther: true }],
  },
  'two repositories, repository_dispatch': APART,
  'two repositories, schedule': { ...APART, on: ['schedule'] },
  'three workflows, the slowest named': { ...ON_EVENTS, ci: THREE, named: ['CI'] },
  'three workflows, all named': { ...ON_EVENTS, ci: THREE },
  'CI ends a minute before the job': {
    ...ON_EVENTS,
    ci: [{ name: 'CI', ms: 20_000 }],
    pushesBeforeEndMs: 83_000,
  },
  'GitHub loses the first event': { ...ON_EVENTS, losesFirst: true },
} satisfies Readonly<Record<string, Plan>>

/** @returns one for each number of rounds */
export async function playWay(way: keyof typeof WAYS): Promise<Played[]> {
  const played: Played[] = []
  for (const rounds of ROUNDS) played.push(await play(WAYS[way], rounds))
  return played
}

/** What a request may bill, where every end of CI brings an event. */
const MOST = {
  workflow_run: [2, 3, 4],
  'pull_request and status': [3, 5, 7],
  'two repositories, repository_dispatch': [3, 5, 7],
} satisfies Readonly<Partial<Record<keyof typeof WAYS, readonly number[]>>>

/** What a request bills with so many rounds of fixes, and when its thread has the verdict. */
export async function minutes(): Promise<Report> {
  const played = new Map<string, Played[]>()
  for (const way of Object.keys(WAYS) as (keyof typeof WAYS)[]) played.set(way, await playWay(way))
  const of = (way: string, rounds: number) =>
    played.get(way)?.[rounds] ?? { minutes: Number.NaN, verdict: Number.NaN }
  const latest = of('a run waits', 2).verdict
  return {
    title: 'Minutes',
    note: 'Billed minutes, each run rounded up, of a request with so many rounds of fixes, and after how many minutes its thread has the verdict: the agent works for 8 minutes, CI for 5, and a runner starts in 20 seconds. Sweeps of the schedule are not among them.',
    rows: Object.fromEntries([...played].map(([way, plays]) => [way, rowOf(plays)])),
    goals: Object.entries(MOST).flatMap(([way, limits]) => [
      ...limits.map((limit, rounds) => ({
        what: `${way}, rounds of fixes: ${rounds}`,
        value: of(way, rounds).minutes,
        limit,
      })),
      { what: `${way}, verdict after 2 rounds`, value: of(way, 2).verdict, limit: latest },
    ]),
  }
}

const rowOf = (plays: readonly Played[]) =>
  Object.fromEntries([
    ...plays.map((one, rounds) => [`${rounds} rounds`, one.minutes] as const),
    ...plays.map((one, rounds) => [`verdict ${rounds}`, Math.round(one.verdict * 10) / 10] as const),
  ])
