import type { Played } from './play.ts'

/** What has been played, in figures, by title and name; those of many stories add up. */
export type Tally = Readonly<Record<string, Readonly<Record<string, number>>>>

export function tallyOf({ history: { world, requests, sweeps } }: Played): Tally {
  const { lives, faults, interferences, emulator } = world
  const mains = requests.flatMap(({ runs }) => runs.map(({ main }) => main))
  return {
    Played: {
      ...{ stories: 1, runs: mains.length, sweeps: sweeps.length },
      'HTTP requests': lives.reduce((sum, { calls }) => sum + calls.length, 0),
      'jobs started': emulator.service.jobs().length - 1,
    },
    Ends: counted(
      mains.map(({ fate, footprint: { outputs } }) =>
        fate === 'ended' ? `${outputs.get('outcome')} ${outputs.get('reason')}`.trim() : `${fate}`,
      ),
    ),
    Struck: counted([
      ...lives.flatMap(({ role, killedAt }) => (killedAt === undefined ? [] : `${role} step is killed`)),
      ...lives.flatMap(({ role, cancelledAt }) => (cancelledAt === undefined ? [] : `${role} is cancelled`)),
      ...[...faults].flatMap(([name, times]) => Array.from({ length: times }, () => name)),
      ...interferences.map((name) => `people: ${name}`),
    ]),
  }
}

const counted = (names: readonly string[]): Tally[string] =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))

export const sum = (a: Tally, b: Tally): Tally =>
  Object.fromEntries(
    Object.keys({ ...a, ...b }).map((title) => {
      const [one, other] = [a[title] ?? {}, b[title] ?? {}]
      const names = Object.keys({ ...one, ...other })
      return [title, Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]))]
    }),
  )

/** One line for each title. */
export const shown = (tally: Tally): string =>
  Object.entries(tally)
    .map(([title, counts]) => {
      const figures = Object.entries(counts).sort(([, n], [, m]) => m - n)
      return `${title}: ${figures.map(([name, n]) => `${n} ${name}`).join(', ')}`
    })
    .join('\n')
