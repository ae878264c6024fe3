import { parseArgs } from 'node:util'
import { describeBreach } from './report.ts'
import { shown, sum, type Tally } from './tally.ts'
import { playAll, type Report } from './workers.ts'

// Stories of people who use the action on an emulated GitHub, and of what goes wrong meanwhile, one fault at a time.
// Rules, which a person could check from the screen, hold the promises over each story. Read the files in this order:
//
//   1. A story    story (what it is), invent (drawn from a seed, by how often it happens in life): asks, checks, texts,
//                 people; trouble (the one thing that goes wrong)
//   2. The world  world (GitHub, the service, the clock), events (what people do), interfere (what they do meanwhile)
//   3. A process  life (of one step of the action), deps, network (all that it takes from outside: where it is struck)
//   4. The play   play (from the first act to the last sweep), stage (runs, post steps, sweeps)
//   5. The check  history (what was asked, sent and answered), records, rules/ (a file for each promise),
//                 soft (counts of what no promise holds), tally, report
//   6. Commands   index (`npm run simulate`), sabotage (breaks the action, and shows that each rule notices), describe
//                 (holds each exchange against GitHub's description of its API); workers plays on all processors

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
else process.exitCode = await simulate(number('runs'), number('seed'))

/** @returns the exit code */
async function simulate(runs: number, first: number): Promise<number> {
  const from = performance.now()
  let tally: Tally = {}
  let soft: Tally = {}
  const failed: Report[] = []
  const tasks = Array.from({ length: runs }, (_, n) => ({ seed: first + n }))
  await playAll(tasks.values(), (report) => {
    tally = sum(tally, report.tally)
    soft = sum(soft, report.soft)
    const isBroken = report.breaches.length > 0
    if (isBroken) failed.push(report)
    if (values.verbose || (isBroken && failed.length <= SHOWN_IN_FULL)) console.log(report.story)
    else for (const breach of report.breaches) console.log(`seed ${report.seed}  ${describeBreach(breach)}`)
  })
  console.log(`${shown(tally)}\n\nBest effort\n${shown(soft)}\n`)
  const seeds = failed.map(({ seed }) => seed).sort((a, b) => a - b)
  if (failed.length > 0) console.log(`Failed seeds: ${seeds.join(', ')}`)
  const seconds = ((performance.now() - from) / 1000).toFixed(0)
  console.log(`${runs - failed.length} passed, ${failed.length} failed in ${seconds} s`)
  return failed.length === 0 ? 0 : 1
}

function number(name: 'runs' | 'seed'): number {
  const value = Number(values[name])
  if (Number.isInteger(value) && value >= 1) return value
  process.stderr.write(`--${name} takes a whole number from 1, not "${values[name]}".\n\n${USAGE}`)
  process.exit(2)
}
