import { parseArgs } from 'node:util'
import { describeBreach } from './report.ts'
import { shownSoft } from './soft.ts'
import { shown, sum, type Tally } from './tally.ts'
import { playAll, type Report, type Task } from './workers.ts'

const USAGE = `npm run simulate -- [--runs N] [--seed N] [--verbose]

  --runs      stories to play (default 300)
  --seed      the first one (default 1); a story is the same each time
  --verbose   show the stories that go well, too
`

/** Failing stories that are shown in full; of the others only the complaint. */
const SHOWN_IN_FULL = 3

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(USAGE)
else process.exitCode = await simulate()

/** @returns the exit code */
async function simulate(): Promise<number> {
  const from = performance.now()
  const { verbose } = values
  let tally: Tally = {}
  let soft: Tally = {}
  const failed: Report[] = []
  await playAll(tasks(), (report) => {
    tally = sum(tally, report.tally)
    soft = sum(soft, report.soft)
    const isBroken = report.breaches.length > 0
    if (isBroken) failed.push(report)
    if (verbose || (isBroken && failed.length <= SHOWN_IN_FULL)) console.log(report.story)
    else for (const breach of report.breaches) console.log(`seed ${report.seed}  ${describeBreach(breach)}`)
  })
  const passed = number('runs') - failed.length
  console.log(`${shown(tally)}\n`)
  console.log(`Wall time: ${((performance.now() - from) / 1000).toFixed(0)} s`)
  const seeds = failed.map(({ seed }) => seed).sort((a, b) => a - b)
  if (failed.length > 0) console.log(`Failed seeds: ${seeds.join(', ')}`)
  console.log(`\n${shownSoft(soft)}\n`)
  console.log(`${passed} passed, ${failed.length} failed`)
  return failed.length === 0 ? 0 : 1
}

function* tasks(): Generator<Task> {
  const first = number('seed')
  for (let n = 0; n < number('runs'); n += 1) yield { seed: first + n }
}

function number(name: 'runs' | 'seed'): number {
  const value = Number(values[name])
  if (Number.isInteger(value) && value >= 1) return value
  process.stderr.write(`--${name} takes a whole number from 1, not "${values[name]}".\n\n${USAGE}`)
  process.exit(2)
}
