import { parseArgs } from 'node:util'
import { RULES } from './rules.ts'
import { SABOTAGES } from './sabotages.ts'
import { playAll, type Report, type Task } from './workers.ts'

/** Breaks one thing at a time between the action and the world, and shows that a rule notices each. */

const { values } = parseArgs({
  options: {
    /** Stories to play at most for each. */
    runs: { type: 'string', default: '60' },
    /** A part of the sabotage's name or of the rule's. */
    only: { type: 'string', default: '' },
  },
})

const chosen = SABOTAGES.filter(({ name, rule }) => `${name} ${rule}`.includes(values.only))
const noticed = new Set<string>()

await playAll(tasks(), notice)
const held = chosen.filter(({ name }) => !noticed.has(name))
const unshown = RULES.filter(({ name }) => !SABOTAGES.some(({ rule }) => rule === name))
for (const { name, rule } of held) console.log(`✗ ${name}\n    ${rule} held in ${values.runs} stories`)
for (const { name } of unshown) console.log(`✗ no sabotage shows that ${name} can fail`)
console.log(`${noticed.size} of ${chosen.length} noticed`)
process.exitCode = held.length === 0 && unshown.length === 0 ? 0 : 1

function* tasks(): Generator<Task> {
  for (const { name } of chosen)
    for (let seed = 1; seed <= Number(values.runs) && !noticed.has(name); seed += 1)
      yield { seed, sabotage: name }
}

function notice({ seed, sabotage: name = '', breaches }: Report): void {
  const rule = chosen.find((one) => one.name === name)?.rule
  const breach = breaches.find((one) => one.rule === rule)
  if (breach === undefined || noticed.has(name)) return
  noticed.add(name)
  console.log(`✓ ${name}\n    ${breach.promise} ${rule}, seed ${seed}: ${breach.complaint}`)
}
