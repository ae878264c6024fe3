import type { Played } from './play.ts'

type Counts = Readonly<Record<string, number>>

/** What has been played, in figures, by title; those of many stories add up. */
export type Tally = Readonly<Record<string, Counts>>

export function tallyOf({ history }: Played): Tally {
  const { world, requests, sweeps } = history
  const mains = requests.flatMap(({ runs }) => runs.map(({ main }) => main))
  const { lives } = world
  const ends = mains.map(({ fate, footprint: { outputs } }) =>
    fate === 'ended' ? [outputs.get('outcome'), outputs.get('reason')].filter(Boolean).join(', ') : `${fate}`,
  )
  return {
    Played: {
      stories: 1,
      runs: mains.length,
      sweeps: sweeps.length,
      'HTTP requests': lives.reduce((sum, { calls }) => sum + calls.length, 0),
      'jobs started': world.emulator.service.jobs().length - 1,
    },
    Ends: counted(ends),
    Struck: counted([
      ...lives.flatMap(({ role, killedAt }) => (killedAt === undefined ? [] : `${role}: killed`)),
      ...lives.flatMap(({ role, cancelledAt }) => (cancelledAt === undefined ? [] : `${role}: cancelled`)),
      ...[...world.faults].flatMap(([name, times]) => Array.from({ length: times }, () => name)),
      ...world.interferences.map((name) => `people: ${name}`),
    ]),
  }
}

const counted = (names: readonly string[]): Counts =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))

/** Adds up two of one shape, however deep. */
export const sum = (a: Tally, b: Tally): Tally =>
  Object.fromEntries(
    Object.keys({ ...a, ...b }).map((title) => {
      const [one, other] = [a[title] ?? {}, b[title] ?? {}]
      const names = Object.keys({ ...one, ...other })
      return [title, Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]))]
    }),
  )

/** As the command line shows it. */
export const shown = (tally: Tally): string =>
  Object.entries(tally)
    .map(([title, counts]) => {
      const lines = Object.entries(counts).map(([name, n]) => `${String(n).padStart(9)}  ${name}`)
      return [title, ...lines].join('\n')
    })
    .join('\n\n')
