import { parentPort } from 'node:worker_threads'
import { invent } from './invent.ts'
import { play } from './play.ts'
import { describeStory } from './report.ts'
import { SABOTAGES } from './sabotages.ts'
import { calmed } from './situations.ts'
import { tallyOf } from './tally.ts'
import type { Report, Task } from './workers.ts'

parentPort?.on('message', async (task: Task) => {
  const sabotage = SABOTAGES.find(({ name }) => name === task.sabotage)
  const invented = invent(task.seed)
  const story = sabotage === undefined ? invented : calmed(invented, sabotage.where)
  const played = await play(story, sabotage)
  const isNoticed = played.breaches.some(({ rule }) => rule === sabotage?.rule)
  // What is broken without the sabotage, too, shows nothing.
  const anyway = isNoticed ? (await play(story)).breaches.map(({ rule }) => rule) : []
  const breaches = played.breaches.filter(({ rule }) => !anyway.includes(rule))
  const report: Report = { ...task, breaches, tally: tallyOf(played), story: describeStory(played) }
  parentPort?.postMessage(report)
})
