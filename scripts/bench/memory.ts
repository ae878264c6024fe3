import { spawn } from 'node:child_process'
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
const SITE_ROWS = 25_000

const RUNS: readonly (Subject & { readonly promptBytes?: number })[] = [
  ...SUBJECTS,
  {
    name: 'longest prompt',
    action: 'action.yml',
    inputs: { prompt: LONG_PROMPT },
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
  const emulator = await startEmulator()
  try {
    emulator.service.everyTurn = { durationMs: 100 }
    emulator.service.site = { rows: SITE_ROWS }
    emulator.github.setPermission('alice', 'write')
    emulator.github.addIssue({ number: ISSUE, title: 'Retries' })
    const bare = await peak(folder, ['-e', `fetch('${emulator.serviceUrl}')`], {})
    const peaks: number[] = []
    for (const run of RUNS) peaks.push((await peakOf(run, emulator, folder)) - (run.promptBytes ?? 0))
    const beyond = (bytes: number) => (bytes - bare) / MIB
    return {
      title: 'Memory',
      note: `Peak resident memory of whole runs, medians of ${ROUNDS}; visitors with ${decimal(SITE_ROWS)} rows.`,
      head: ['', 'MiB', 'beyond Node and prompt'],
      rows: [
        ['node -e fetch', decimal(bare / MIB, 0), ''],
        ...RUNS.map(({ name }, i) => [
          name,
          decimal((peaks[i] ?? 0) / MIB, 0),
          decimal(beyond(peaks[i] ?? 0), 0),
        ]),
      ],
      goals: RUNS.map(({ name }, i) => ({
        what: name,
        value: beyond(peaks[i] ?? 0),
        limit: TARGET_MIB,
        unit: ' MiB',
      })),
    }
  } finally {
    await emulator.close()
    rmSync(folder, { recursive: true })
  }
}

/** In bytes. */
async function peakOf(subject: Subject, emulator: Emulator, folder: string): Promise<number> {
  const eventPath = join(folder, 'event.json')
  const { script, env, event } = processOf(subject, emulator, {
    workspace: folder,
    temp: folder,
    event: eventPath,
  })
  writeFileSync(eventPath, JSON.stringify(event.payload))
  return await peak(folder, [script], { ...env, 'INPUT_POLL-INTERVAL-SECONDS': '0.05' })
}

/** In bytes: the median of some runs. */
async function peak(folder: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const [preload, result] = [join(folder, 'preload.mjs'), join(folder, 'peak')]
  writeFileSync(preload, PRELOAD(result))
  const peaks: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await new Promise<void>((resolve, reject) => {
      const child = spawn(process.execPath, ['--import', preload, ...args], { env, stdio: 'ignore' })
      child.once('error', reject)
      child.once('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`${args[0]} ended with ${code}`)),
      )
    })
    peaks.push(Number(readFileSync(result, 'utf8')) * 1024)
  }
  return median(peaks)
}
