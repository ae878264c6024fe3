import type { Life } from './life.ts'
import type { Played } from './play.ts'
import { trackingIssues } from './world.ts'

type Counts = Readonly<Record<string, number>>

/** What has been played, in figures; those of many stories add up. */
export interface Tally {
  readonly figures: Counts
  readonly faults: Counts
  readonly kills: Counts
  readonly endings: Counts
  readonly interference: Counts
}

export const NOTHING_YET: Tally = { figures: {}, faults: {}, kills: {}, endings: {}, interference: {} }

export function tallyOf({ history }: Played): Tally {
  const { world, requests, sweeps } = history
  const mains = requests.flatMap(({ runs }) => runs.map(({ main }) => main))
  const posts = requests.flatMap(({ runs }) => runs.flatMap(({ post }) => post ?? []))
  const lives = [...mains, ...posts, ...sweeps]
  return {
    figures: {
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
      previews: world.emulator.service.previews.all().length,
      'reviewers and labels': lives.flatMap(({ calls }) =>
        calls.filter(({ path }) => /\/(requested_reviewers|labels)$/.test(path)),
      ).length,
      cancellations: lives.filter(({ cancelledAt }) => cancelledAt !== undefined).length,
      'simulated hours': world.clock.passed() / 3_600_000,
    },
    faults: Object.fromEntries(world.faults),
    kills: counted(
      lives.flatMap(({ role, killedAt }) => (killedAt === undefined ? [] : `${role}: ${killedAt}`)),
    ),
    endings: counted(mains.flatMap(endingOf)),
    interference: counted(world.interferences),
  }
}

function endingOf({ fate, footprint: { outputs } }: Life): string[] {
  if (fate !== 'ended') return []
  return [[outputs.get('outcome'), outputs.get('reason')].filter(Boolean).join(', ')]
}

const counted = (names: readonly string[]): Counts =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))

export function sum(a: Tally, b: Tally): Tally {
  const { figures, faults, kills, endings, interference } = a
  return {
    figures: added(figures, b.figures),
    faults: added(faults, b.faults),
    kills: added(kills, b.kills),
    endings: added(endings, b.endings),
    interference: added(interference, b.interference),
  }
}

const added = (a: Counts, b: Counts): Counts =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((key) => [key, (a[key] ?? 0) + (b[key] ?? 0)]),
  )

const figure = (n: number): string => Math.round(n).toLocaleString('en-US')

/** As the command line shows it. */
export function shown({ figures, faults, kills, endings, interference }: Tally): string {
  return [
    lines('Played', figures, false),
    lines('Endings', endings),
    lines('Kills', kills),
    lines('Faults', faults),
    lines('Done by people and others', interference),
  ].join('\n\n')
}

function lines(title: string, counts: Counts, ranked = true): string {
  const entries = Object.entries(counts)
  if (ranked) entries.sort(([a, n], [b, m]) => m - n || a.localeCompare(b))
  const total = ranked ? ` (${figure(entries.reduce((all, [, n]) => all + n, 0))})` : ''
  return [`${title}${total}`, ...entries.map(([name, n]) => `  ${figure(n).padStart(9)}  ${name}`)].join('\n')
}
