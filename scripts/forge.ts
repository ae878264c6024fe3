import { parseCLI, startVitest } from 'vitest/node'
import { ensureBinaries, Unavailable } from './forge/binaries.ts'

// EX_TEMPFAIL of sysexits.h: .ci/run leaves the part out.
const LEFT_OUT = 75

const log = (line: string): void => void process.stdout.write(`${line}\n`)
endWithNpm()
const startedAt = Date.now()
try {
  await ensureBinaries(log)
} catch (error) {
  if (!(error instanceof Unavailable)) throw error
  log(`npm run e2e:forge is left out: ${error.message}`)
  process.exit(LEFT_OUT)
}
const builtAt = Date.now()
process.env.PART = 'forge'
const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
const vitest = await startVitest(filter, options)
log(`The build took ${seconds(builtAt - startedAt)}, the stories ${seconds(Date.now() - builtAt)}.`)
await vitest.exit()

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`
}

/** npm that is killed leaves its scripts running. */
function endWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.exit(1), 500).unref()
}
