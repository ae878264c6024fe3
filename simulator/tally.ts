import type { Life } from './life.ts'
import type { Played } from './play.ts'
import { trackingIssues } from './world.ts'

type Counts = Readonly<Record<string, number>>

/** What has been played, in figures, by title; those of many stories add up. */
export type Tally = Readonly<Record<string, Counts>>

const FIGURES = 'Played'

export function tallyOf({ history }: Played): Tally {
  const { world, requests, sweeps } = history
  const mains = requests.flatMap(({ runs }) => runs.map(({ main }) => main))
  const posts = requests.flatMap(({ runs }) => runs.flatMap(({ post }) => post ?? []))
  const lives = [...mains, ...posts, ...sweeps]
  return {
    [FIGURES]: {
      stories: 1,
      requests: requests.length,
      runs: mains.length,
      're-runs': mains.length - requests.length,
      'post steps': posts.length,
      sweeps: sweeps.length,
      'wake-ups': sweeps.filter(({ isWoken }) => isWoken).length,
      'HTTP requests': lives.reduce((sum, { calls }) => sum + calls.length, 0),
      'jobs started': world.emulator.service.jobs().length - 1,
      'tracking issues': trackingIssues(world).length,
      'merged pull requests': world.merges.length,
      cancellations: lives.filter(({ cancelledAt }) => cancelledAt !== undefined).length,
      'simulated hours': world.clock.passed() / 3_600_000,
    },
    Endings: counted(mains.flatMap(endingOf)),
    Kills: counted(
      lives.flatMap(({ role, killedAt }) => (killedAt === undefined ? [] : `${role}: ${killedAt}`)),
    ),
    Faults: Object.fromEntries(world.faults),
    'Done by people and others': counted(world.interferences),
  }
}

function endingOf({ fate, footprint: { outputs } }: Life): string[] {
  if (fate !== 'ended') return []
  return [[outputs.get('outcome'), outputs.get('reason')].filter(Boolean).join(', ')]
}

const counted = (names: readonly string[]): Counts =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))

export const sum = (a: Tally, b: Tally): Tally =>
  Object.fromEntries(
    Object.keys({ ...a, ...b }).map((title) => [title, added(a[title] ?? {}, b[title] ?? {})]),
  )

const added = (a: Counts, b: Counts): Counts =>
  Object.fromEntries(Object.keys({ ...a, ...b }).map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]))

const figure = (n: number): string => Math.round(n).toLocaleString('en-US')

/** As the command line shows it. */
export const shown = (tally: Tally): string =>
  Object.entries(tally)
    .map(([title, counts]) => lines(title, counts, title !== FIGURES))
    .join('\n\n')

function lines(title: string, counts: Counts, isRanked: boolean): string {
  const entries = Object.entries(counts)
  if (isRanked) entries.sort(([a, n], [b, m]) => m - n || a.localeCompare(b))
  const total = isRanked ? ` (${figure(entries.reduce((all, [, n]) => all + n, 0))})` : ''
  return [`${title}${total}`, ...entries.map(([name, n]) => `  ${figure(n).padStart(9)}  ${name}`)].join('\n')
}
