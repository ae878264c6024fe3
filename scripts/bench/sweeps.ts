import { runAction } from '../../emulator/runner.ts'
import { emulateInProcess } from '../../test/helpers/step-in-process.ts'
import { ACTIONS, access, comment } from '../demo/actions.ts'
import type { Report } from './table.ts'

const JOBS = 1000
const HOUR_MS = 3_600_000
/** The service creates a hundred an hour. */
const BETWEEN_MS = HOUR_MS / 100
const MOST_SWEEPS = 24
const MOST_REFUSALS = 200

/** Sweeps, one an hour, over the jobs of a thousand threads that all ended, with GitHub's limits. */
export async function sweeps(): Promise<Report> {
  const { emulator, launch } = emulateInProcess({ rateLimits: {} })
  const { github, service, settings } = emulator
  github.setPermission('alice', 'write')
  service.everyTurn = { reads: 0 }
  for (let issue = 1; issue <= JOBS; issue++) {
    github.addIssue({ number: issue })
    const event = comment(emulator, { issue, login: 'alice', body: '/docs explain it' })
    const { log, outputs } = await runAction({
      ...{ action: ACTIONS.root, emulator, launch, event },
      inputs: { ...access(emulator), wait: 'false' },
    })
    if (outputs.outcome !== 'started') throw new Error(log)
    await settings.sleep(BETWEEN_MS)
  }
  const rows: Record<string, Figures> = {}
  for (let sweep = 1; sweep <= MOST_SWEEPS; sweep++) {
    emulator.clearRequests()
    const began = settings.now()
    const { outputs } = await runAction({
      ...{ action: ACTIONS.collect, emulator, launch, event: { name: 'schedule', payload: {} } },
      inputs: { ...access(emulator), 'since-hours': '744' },
    })
    const asked = emulator.requests.filter(({ host }) => host === 'github')
    rows[`sweep ${sweep}`] = {
      reported: Number(outputs.finished),
      left: Number(outputs.active) + Number(outputs.failed),
      requests: asked.length,
      refusals: asked.filter(({ status }) => status === 403 || status === 429).length,
      minutes: (settings.now() - began) / 60_000,
    }
    if (outputs.failed === '0' && outputs.active === '0') break
    await settings.sleep(Math.max(0, began + HOUR_MS - settings.now()))
  }
  const refusals = Object.values(rows).reduce((sum, row) => sum + row.refusals, 0)
  const open = Array.from({ length: JOBS }, (_, at) => at + 1).filter(
    (issue) => !github.comments(issue).some(({ body }) => body.includes('Review it there')),
  )
  return {
    title: 'Sweeps',
    note: `${count(JOBS)} threads whose job ended, a sweep an hour, with GitHub's limits (simulated clock).`,
    rows,
    goals: [
      { what: 'threads without a result', value: open.length, limit: 0 },
      { what: 'requests that GitHub refused', value: refusals, limit: MOST_REFUSALS },
    ],
  }
}

type Figures = Readonly<Record<'reported' | 'left' | 'requests' | 'refusals' | 'minutes', number>>

const count = (jobs: number): string => jobs.toLocaleString('en')
