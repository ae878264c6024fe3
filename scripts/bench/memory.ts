import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Emulator, startEmulator } from '../../emulator/emulator.ts'
import { ISSUE, processOf, SUBJECTS, type Subject } from './subjects.ts'
import { decimal, median, type Report } from './table.ts'

const ROUNDS = 5
const TARGET_MIB = 70
const MIB = 2 ** 20
/** Characters; the longest prompt that is accepted. */
const LONG_PROMPT = 'Explain the new retry option. '.repeat(6_600)
/** As an input it would not fit: Linux takes at most 128 KiB a variable. */
const PROMPT_FILE = 'prompt.md'
const SITE_ROWS = 25_000

const RUNS: readonly (Subject & { readonly promptBytes?: number })[] = [
  ...SUBJECTS,
  {
    name: 'longest prompt',
    action: 'action.yml',
    inputs: { 'prompt-file': PROMPT_FILE },
    event: () => ({ name: 'workflow_dispatch', payload: {} }),
    promptBytes: LONG_PROMPT.length,
  },
]

/** Writes the peak of the process to a file as it ends. */
const PRELOAD = (file: string): string =>
  `import { writeFileSync } from 'node:fs'
process.on('exit', () => writeFileSync(${JSON.stringify(file)}, String(process.resourceUsage().maxRSS)))`

/** Peak memory of whole runs beyond that of a Node that fetches once. */
export async function memory(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-bench-'))
  writeFileSync(join(folder, PROMPT_FILE), LONG_PROMPT)
  try {
    const bare = await medianPeak(folder, ({ serviceUrl }) => [['-e', `fetch('${serviceUrl}')`], {}])
    const peaks: number[] = []
    for (const run of RUNS) {
      const peak = await medianPeak(folder, (emulator) => commandOf(run, emulator, folder))
      peaks.push(peak - (run.promptBytes ?? 0))
    }
    const beyond = peaks.map((peak) => (peak - bare) / MIB)
    return {
      title: 'Memory',
      note: `Peak resident memory of whole runs in MiB, medians of ${ROUNDS}; visitors with ${decimal(SITE_ROWS)} rows.`,
      head: ['', 'peak', 'beyond Node and prompt'],
      rows: [
        ['node -e fetch', decimal(bare / MIB, 0), ''],
        ...RUNS.map(({ name }, i) => [name, decimal((peaks[i] ?? 0) / MIB, 0), decimal(beyond[i] ?? 0, 0)]),
      ],
      goals: RUNS.map(({ name }, i) => ({
        what: name,
        value: beyond[i] ?? 0,
        limit: TARGET_MIB,
        unit: ' MiB',
      })),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type Command = readonly [args: readonly string[], env: Readonly<Record<string, string>>]

function commandOf(subject: Subject, emulator: Emulator, folder: string): Command {
  const eventPath = join(folder, 'event.json')
  const folders = { workspace: folder, temp: folder, event: eventPath }
  const { script, env, event } = processOf(subject, emulator, folders)
  writeFileSync(eventPath, JSON.stringify(event.payload))
  return [[script], { ...env, 'INPUT_POLL-INTERVAL-SECONDS': '0.05' }]
}

/** In bytes. Each run has an emulator of its own, since the hourly limits are few. */
async function medianPeak(folder: string, command: (emulator: Emulator) => Command): Promise<number> {
  const peaks: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const emulator = await startEmulator()
    emulator.service.everyTurn = { durationMs: 100 }
    emulator.service.site = { rows: SITE_ROWS }
    emulator.github.setPermission('alice', 'write')
    emulator.github.addIssue({ number: ISSUE, title: 'Retries' })
    peaks.push(await peakOf(folder, ...command(emulator)))
    await emulator.close()
  }
  return median(peaks)
}

/** In bytes. */
async function peakOf(folder: string, ...[args, env]: Command): Promise<number> {
  const [preload, result] = [join(folder, 'preload.mjs'), join(folder, 'peak')]
  writeFileSync(preload, PRELOAD(result))
  const child = spawn(process.execPath, ['--import', preload, ...args], { env, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}`)
  return Number(readFileSync(result, 'utf8')) * 1024
}
