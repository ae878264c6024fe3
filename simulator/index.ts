import { parseArgs } from 'node:util'
import { ABOUT, type About } from './plots.ts'
import { describeBreach, describeStory, playedIn } from './report.ts'
import { tellStory } from './run.ts'

// Stories of people who use the action on an emulated GitHub, and of what goes wrong meanwhile, one fault at a time.
// Rules, which a person could check from the screen, hold the promises over each story. fast-check draws a story from its
// seed, and makes one that breaks a rule as short as it can. Read the files in this order:
//
//   1. A story    story (what it is), plots (what happens in it, by how often it does in life): asks, checks, texts,
//                 people; fix-plots, sweep-events (no runner waits, and events wake sweeps); trouble (the one thing that goes wrong); tell (as people would tell it)
//   2. The world  world (GitHub, the service, the clock), events (what people do), interfere (what they do meanwhile)
//   3. A process  life (of one step of the action), deps, network (all that it takes from outside: where it is struck)
//   4. The play   acts (fast-check's commands), play (from the first act to the last sweep), run (and once more,
//                 shorter), stage (runs, post steps, sweeps)
//   5. The check  history (what was asked, sent and answered), fixes, latest, records, rules/ (a file for each promise), report
//   6. Commands   index (`npm run simulate`), sabotage (breaks lines of src/, and shows that stories or tests notice
//                 each), describe (holds each exchange against GitHub's description of its API)

const USAGE = `npm run simulate -- [--runs N] [--seed N] [--verbose]

  --runs      stories to play (default 300)
  --seed      the first one (default 1); a story is the same each time
  --about     any (the default), or checks: in most stories no runner waits
  --shrink    seconds for which a story that fails is made shorter (default 60)
  --bail      stop at the first story that fails
  --verbose   show the stories that go well, too
`

/** Failing stories that are made shorter and shown in full; of the others only the complaint. */
const SHOWN_IN_FULL = 3

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    about: { type: 'string', default: 'any' },
    shrink: { type: 'string', default: '60' },
    bail: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(USAGE)
else process.exitCode = await simulate(number('runs'), number('seed'), number('shrink', 0), about())

/** @returns the exit code */
async function simulate(runs: number, first: number, shrink: number, about: About): Promise<number> {
  const from = performance.now()
  const counts = new Map<string, number>()
  const failed: number[] = []
  for (let seed = first; seed < first + runs; seed += 1) {
    const told = await tellStory(seed, failed.length < SHOWN_IN_FULL ? shrink * 1000 : 0, about)
    for (const name of playedIn(told)) counts.set(name, (counts.get(name) ?? 0) + 1)
    const isBroken = told.breaches.length > 0
    if (isBroken) failed.push(seed)
    if (values.verbose || (isBroken && failed.length <= SHOWN_IN_FULL)) console.log(describeStory(told))
    else for (const breach of told.breaches) console.log(`seed ${seed}  ${describeBreach(breach)}`)
    if (isBroken && values.bail) break
  }
  const figures = [...counts].sort(([, n], [, m]) => m - n).map(([name, n]) => `${n} ${name}`)
  console.log(`${figures.join(', ')}\n`)
  if (failed.length > 0) console.log(`Failed seeds: ${failed.join(', ')}`)
  const seconds = ((performance.now() - from) / 1000).toFixed(0)
  console.log(`${runs - failed.length} passed, ${failed.length} failed in ${seconds} s`)
  return failed.length === 0 ? 0 : 1
}

function number(name: 'runs' | 'seed' | 'shrink', least = 1): number {
  const value = Number(values[name])
  if (Number.isInteger(value) && value >= least) return value
  process.stderr.write(`--${name} takes a whole number from ${least}, not "${values[name]}".\n\n${USAGE}`)
  process.exit(2)
}

function about(): About {
  const { about } = values
  if (Object.hasOwn(ABOUT, about)) return about as About
  process.stderr.write(`--about takes ${Object.keys(ABOUT).join(' or ')}, not "${about}".\n\n${USAGE}`)
  process.exit(2)
}
