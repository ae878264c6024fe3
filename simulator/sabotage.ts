import { parseArgs } from 'node:util'
import { RULES } from './rules.ts'
import { SABOTAGES, type Sabotage } from './sabotages.ts'
import { playAll, type Report } from './workers.ts'

/** Breaks one thing at a time between the action and the world, and shows that an rule notices each. */

const { values } = parseArgs({
  options: {
    /** Stories to play at most for each. */
    runs: { type: 'string', default: '600' },
    /** A part of the sabotage's name or of the rule's. */
    only: { type: 'string', default: '' },
  },
})

let noticed = 0
const chosen = SABOTAGES.filter(({ name, rule }) => `${name} ${rule}`.includes(values.only))
for (const sabotage of chosen) {
  const { caught, played } = await attempt(sabotage)
  const complaint = caught?.breaches.find(({ rule }) => rule === sabotage.rule)?.complaint
  if (caught !== undefined) noticed += 1
  const said = caught === undefined ? `held in ${played} stories` : `seed ${caught.seed}: ${complaint}`
  process.stdout.write(`${caught ? '✓' : '✗'} ${sabotage.name}\n    ${sabotage.rule}: ${said}\n`)
}
const unshown = RULES.filter(({ name }) => !SABOTAGES.some(({ rule }) => rule === name))
for (const { name } of unshown) process.stdout.write(`✗ no sabotage shows that ${name} can fail\n`)
process.stdout.write(`${noticed} of ${chosen.length} noticed\n`)
process.exitCode = noticed === chosen.length && unshown.length === 0 ? 0 : 1

/** Plays stories until the rule complains. */
async function attempt({ name, rule }: Sabotage): Promise<{ caught?: Report; played: number }> {
  let caught: Report | undefined
  let played = 0
  const options = { first: 1, many: Number(values.runs), verbose: false, sabotage: name }
  await playAll(options, (report) => {
    played += 1
    if (report.breaches.some((breach) => breach.rule === rule)) caught ??= report
    return caught === undefined ? 'on' : 'enough'
  })
  return { played, ...(caught === undefined ? {} : { caught }) }
}
