import type { Check } from '../../emulator/github/checks.ts'
import type { RateLimitOptions } from '../../emulator/github/rate-limits.ts'
import { runAction } from '../../emulator/runner.ts'
import { emulateInProcess } from '../../test/helpers/step-in-process.ts'
import { ACTIONS, access, comment } from '../demo/actions.ts'
import type { Report } from './table.ts'

const ISSUE = 12
const SECOND = 1000
const MINUTE = 60 * SECOND
const HALF_AN_HOUR = 1800 * SECOND

/** The checks of a pull request whose head does not move, and how much longer than them a run may take, in seconds. */
const CASES: Readonly<Record<string, { readonly checks: readonly Check[]; readonly extra?: number }>> = {
  'no checks': { checks: [], extra: 60 },
  'a check that passes at once': { checks: [{ name: 'build' }], extra: 35 },
  'two of ten minutes': {
    checks: [
      { name: 'build', takesMs: 600 * SECOND },
      { name: 'test', appearsAfterMs: 20 * SECOND, takesMs: 580 * SECOND },
    ],
    extra: 35,
  },
  'one that needs another': {
    checks: [
      { name: 'build', takesMs: 120 * SECOND },
      { name: 'deploy', needs: ['build'], takesMs: 60 * SECOND },
    ],
    extra: 35,
  },
  'one that never ends': { checks: [{ name: 'build', takesMs: Number.POSITIVE_INFINITY }] },
}

const CLA: Check = { name: 'license/cla', kind: 'status', takesMs: Number.POSITIVE_INFINITY }
const RED: Check = { name: 'build', conclusion: 'failure', takesMs: 2 * MINUTE }

/** On the simulated clock, from the first reading of the head: the last check's end until the run's, and requests. */
export async function checks(): Promise<Report> {
  const rows: Record<string, Awaited<ReturnType<typeof followed>>> = {}
  for (const [name, { checks }] of Object.entries(CASES)) rows[name] = await followed(checks)
  const hanging: Record<string, Awaited<ReturnType<typeof followed>>> = {}
  for (const [limits, rateLimits] of [
    ['', undefined],
    [", with GitHub's limits", {}],
  ] as const) {
    hanging[`license/cla never ends${limits}`] = await followed([{ name: 'build' }, CLA], rateLimits)
    hanging[`a red build beside it${limits}`] = await followed([RED, CLA], rateLimits)
  }
  return {
    title: 'Checks',
    note: 'Seconds that a run takes after the last check of the pull request ended (simulated clock), and requests that count, in all and in half an hour.',
    rows: { ...rows, ...hanging },
    goals: [
      ...Object.entries(hanging).map(([name, row]) =>
        name.startsWith('license')
          ? { what: `${name}: paid minutes`, value: row['paid min'], limit: 10 }
          : { what: `${name}: minutes until it goes back`, value: row['sent after min'], limit: 5 },
      ),
      ...Object.entries(CASES).flatMap(([name, { extra }]) =>
        extra === undefined
          ? []
          : { what: `${name}: extra seconds`, value: rows[name]?.['extra s'] ?? 0, limit: extra },
      ),
      {
        what: 'counted requests in half an hour',
        value: Math.max(...Object.values(rows).map((row) => row['in 30 min'])),
        limit: 120,
      },
    ],
  }
}

async function followed(checks: readonly Check[], rateLimits?: RateLimitOptions) {
  const { emulator, launch } = emulateInProcess({ docsRepository: 'octo/app', rateLimits })
  const { github, service, settings } = emulator
  github.setPermission('alice', 'write')
  github.addIssue({ number: ISSUE })
  github.checks.everyHead = checks
  service.everyTurn = { reads: 0 }
  const { log, outputs } = await runAction({
    action: ACTIONS.root,
    emulator,
    launch,
    event: comment(emulator, { issue: ISSUE, login: 'alice', body: '/docs explain it' }),
    inputs: { ...access(emulator), 'fix-attempts': '1', 'timeout-minutes': '45', 'on-timeout': 'warn' },
  })
  if (outputs.outcome !== 'pull-request') throw new Error(log)
  const read = emulator.requests.filter(({ path }) => path.endsWith('/check-runs'))
  const began = read[0]?.at ?? 0
  const counted = emulator.requests.filter(
    ({ host, at, status }) => host === 'github' && at >= began && status !== 304,
  )
  const ends = [...github.repo().checks.values()].flat().map(({ endsAt }) => endsAt)
  const lastEnd = Math.max(began, ...ends.filter(Number.isFinite))
  // What is paid is a minute that began: from the first reading until the end, or until failures go back.
  const failedAt = Math.max(
    0,
    ...checks.map(({ conclusion, takesMs = 0 }) => (conclusion ? began + takesMs : 0)),
  )
  const sent = emulator.requests.find(({ path }) => path.endsWith('/message'))
  return {
    'paid min': rounded((settings.now() - began) / MINUTE),
    'sent after min': sent === undefined ? 0 : rounded((sent.at - failedAt) / MINUTE),
    'extra s': ends.every(Number.isFinite) ? (settings.now() - lastEnd) / SECOND : 0,
    readings: read.length,
    'in 30 min': counted.filter(({ at }) => at < began + HALF_AN_HOUR).length,
  }
}

const rounded = (figure: number): number => Math.round(figure * 10) / 10
