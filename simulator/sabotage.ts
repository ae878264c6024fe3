import { parseArgs } from 'node:util'
import { RULES } from './rules.ts'
import { SABOTAGES, type Sabotage } from './sabotages.ts'
import { playAll, type Report } from './workers.ts'

/** Breaks one thing at a time between the action and the world, and shows that a rule notices each. */

const { values } = parseArgs({
  options: {
    /** Stories to play at most for each. */
    runs: { type: 'string', default: '600' },
    /** A part of the sabotage's name or of the rule's. */
    only: { type: 'string', default: '' },
  },
})

/** The rules that break in each story without any sabotage: that they break shows nothing. */
const brokenAnyway = new Map<number, ReadonlySet<string>>()
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

/** Plays stories until the rule complains of one in which it holds without the sabotage. */
async function attempt({ name, rule }: Sabotage): Promise<{ caught?: Report; played: number }> {
  const many = Number(values.runs)
  for (let first = 1; first <= many; ) {
    let caught: Report | undefined
    await playAll({ first, many: many - first + 1, verbose: false, sabotage: name }, (report) => {
      if (report.breaches.some((breach) => breach.rule === rule)) caught ??= report
      return caught === undefined ? 'on' : 'enough'
    })
    if (caught === undefined) break
    if (!(await breaksAnyway(caught.seed)).has(rule)) return { caught, played: caught.seed }
    first = caught.seed + 1
  }
  return { played: many }
}

async function breaksAnyway(seed: number): Promise<ReadonlySet<string>> {
  if (!brokenAnyway.has(seed))
    await playAll({ first: seed, many: 1, verbose: false }, ({ breaches }) => {
      brokenAnyway.set(seed, new Set(breaches.map(({ rule }) => rule)))
      return 'on'
    })
  return brokenAnyway.get(seed) ?? new Set()
}
