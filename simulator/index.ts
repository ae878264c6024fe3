import { parseArgs } from 'node:util'
import { playAll, type Report } from './crew.ts'
import { tellBreach } from './report.ts'
import { NOTHING_YET, shown, sum, type Tally } from './tally.ts'

const USAGE = `npm run simulate -- [--runs N] [--seed N] [--verbose] [--until INVARIANT]

  --runs      stories to play (default 1000)
  --seed      the first one (default 1); a story is the same each time
  --verbose   tell the stories that go well, too
  --until     stop at the first story that breaks this invariant, and succeed; fail if none does
`

/** Failing stories that are told in full; of the others only the complaint. */
const TOLD = 3

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
    until: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(USAGE)
else process.exitCode = values.until === '' ? await simulate() : await until(values.until)

/** @returns the exit code */
async function simulate(): Promise<number> {
  const from = performance.now()
  const { verbose } = values
  let tally: Tally = NOTHING_YET
  const failed: Report[] = []
  await playAll({ first: number('seed'), many: number('runs'), verbose }, (report) => {
    tally = sum(tally, report.tally)
    if (report.breaches.length > 0) failed.push(report)
    if (verbose || (report.breaches.length > 0 && failed.length <= TOLD)) say(report.story)
    else for (const breach of report.breaches) say(`seed ${report.seed}  ${tellBreach(breach)}`)
    return 'on'
  })
  const passed = number('runs') - failed.length
  say(`${shown(tally)}\n`)
  say(`Wall time: ${((performance.now() - from) / 1000).toFixed(0)} s`)
  if (failed.length > 0)
    say(
      `Failed seeds: ${failed
        .map(({ seed }) => seed)
        .sort((a, b) => a - b)
        .join(', ')}`,
    )
  say(`${passed} passed, ${failed.length} failed`)
  return failed.length === 0 ? 0 : 1
}

/** @returns the exit code */
async function until(invariant: string): Promise<number> {
  let caught: Report | undefined
  let played = 0
  await playAll({ first: number('seed'), many: number('runs'), verbose: false }, (report) => {
    played += 1
    if (report.breaches.some((breach) => breach.invariant === invariant)) caught ??= report
    return caught === undefined ? 'on' : 'enough'
  })
  const complaint = caught?.breaches.find((breach) => breach.invariant === invariant)?.complaint
  say(caught === undefined ? `${invariant} held in ${played} stories` : `seed ${caught.seed}: ${complaint}`)
  return caught === undefined ? 1 : 0
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function number(name: 'runs' | 'seed'): number {
  const value = Number(values[name])
  if (Number.isInteger(value) && value >= 1) return value
  process.stderr.write(`--${name} takes a whole number from 1, not "${values[name]}".\n\n${USAGE}`)
  process.exit(2)
}
