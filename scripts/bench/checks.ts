import type { Check } from '../../emulator/github/checks.ts'
import { runAction } from '../../emulator/runner.ts'
import { emulateInProcess } from '../../test/helpers/step-in-process.ts'
import { ACTIONS, access, comment } from '../demo/actions.ts'
import type { Report } from './table.ts'

const ISSUE = 12
const SECOND = 1000
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

/** On the simulated clock, from the first reading of the head: the last check's end until the run's, and requests. */
export async function checks(): Promise<Report> {
  const rows: Record<string, Awaited<ReturnType<typeof followed>>> = {}
  for (const [name, { checks }] of Object.entries(CASES)) rows[name] = await followed(checks)
  return {
    title: 'Checks',
    note: 'Seconds that a run takes after the last check of the pull request ended (simulated clock), and requests that count, in all and in half an hour.',
    rows,
    goals: [
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

async function followed(checks: readonly Check[]) {
  const { emulator, launch } = emulateInProcess({ docsRepository: 'octo/app' })
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
  return {
    'extra s': ends.every(Number.isFinite) ? (settings.now() - lastEnd) / SECOND : 0,
    readings: read.length,
    'in 30 min': counted.filter(({ at }) => at < began + HALF_AN_HOUR).length,
  }
}
