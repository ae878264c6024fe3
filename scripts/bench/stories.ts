import { sum, type Tally } from '../../simulator/tally.ts'
import { playAll } from '../../simulator/workers.ts'
import type { Report } from './table.ts'

const STORIES = 300
/** Of a hundred: what a refusal of GitHub, or two things at once, may cost. */
const MOST_MISSING = 5

/** Stories of the simulator: how long they take, and how often what no promise holds is late, double or missing. */
export async function stories(): Promise<Report> {
  const from = performance.now()
  let tally: Tally = {}
  let soft: Tally = {}
  const tasks = Array.from({ length: STORIES }, (_, n) => ({ seed: n + 1 }))
  await playAll(tasks.values(), (report) => {
    tally = sum(tally, report.tally)
    soft = sum(soft, report.soft)
  })
  const total = (name: string) => Object.values(soft).reduce((all, counts) => all + (counts[name] ?? 0), 0)
  const { runs = 1, 'HTTP requests': requests = 0 } = tally.Played ?? {}
  const seconds = (performance.now() - from) / 1000
  return {
    title: 'Stories',
    note: `${STORIES} stories in ${seconds.toFixed(0)} s; ${(requests / runs).toFixed(1)} requests for each run.`,
    rows: soft,
    goals: [
      { what: 'missing, of a hundred', value: (100 * total('missing')) / total('all'), limit: MOST_MISSING },
    ],
  }
}
