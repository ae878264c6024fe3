import { parentPort, workerData } from 'node:worker_threads'
import type { Report, Share } from './crew.ts'
import { invent } from './invent.ts'
import { play } from './play.ts'
import { tellStory } from './report.ts'
import { tallyOf } from './tally.ts'

const { first, many, verbose, offset, step } = workerData as Share

for (let n = offset; n < many; n += step) {
  const seed = first + n
  const played = await play(invent(seed))
  const { breaches } = played
  const story = verbose || breaches.length > 0 ? tellStory(played) : ''
  const report: Report = { seed, breaches, tally: tallyOf(played), story }
  parentPort?.postMessage(report)
}
