import { parentPort, workerData } from 'node:worker_threads'
import { invent } from './invent.ts'
import { play } from './play.ts'
import { describeStory } from './report.ts'
import { SABOTAGES } from './sabotages.ts'
import { tallyOf } from './tally.ts'
import type { Report, WorkerOptions } from './workers.ts'

const { first, many, verbose, offset, step, sabotage: name } = workerData as WorkerOptions
const sabotage = SABOTAGES.find((one) => one.name === name)

for (let n = offset; n < many; n += step) {
  const seed = first + n
  const played = await play(invent(seed), sabotage)
  const { breaches } = played
  const story = verbose || breaches.length > 0 ? describeStory(played) : ''
  const report: Report = { seed, breaches, tally: tallyOf(played), story }
  parentPort?.postMessage(report)
}
