import { parentPort } from 'node:worker_threads'
import { invent } from './invent.ts'
import { play } from './play.ts'
import { describeStory } from './report.ts'
import { SABOTAGES } from './sabotages.ts'
import { tallyOf } from './tally.ts'
import type { Report, Task } from './workers.ts'

parentPort?.on('message', async (task: Task) => {
  const sabotage = SABOTAGES.find(({ name }) => name === task.sabotage)
  const played = await play(invent(task.seed), sabotage)
  const { breaches, soft } = played
  const report: Report = { ...task, breaches, soft, tally: tallyOf(played), story: describeStory(played) }
  parentPort?.postMessage(report)
})
