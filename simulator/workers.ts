import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Breach } from './rules.ts'
import type { Tally } from './tally.ts'

/** What comes back from a seed. */
export interface Report {
  readonly seed: number
  readonly breaches: readonly Breach[]
  readonly tally: Tally
  /** In full; '' for a story that goes well, unless `verbose` asks for it. */
  readonly story: string
}

export interface PlayOptions {
  readonly first: number
  readonly many: number
  readonly verbose: boolean
  /** Name of the sabotage that is at work in all stories. */
  readonly sabotage?: string
}

/** What one worker does: every `step`th seed from `offset` on. */
export interface WorkerOptions extends PlayOptions {
  readonly offset: number
  readonly step: number
}

const MOST_WORKERS = 4

/** Plays the seeds on as many threads as there are processors, until `each` has had enough. */
export async function playAll(
  options: PlayOptions,
  each: (report: Report) => 'on' | 'enough',
): Promise<void> {
  const step = Math.min(MOST_WORKERS, availableParallelism(), options.many)
  const workers = Array.from({ length: step }, (_, offset) => {
    const workerData: WorkerOptions = { ...options, offset, step }
    return new Worker(new URL('./worker.ts', import.meta.url), { workerData })
  })
  const stop = () => Promise.all(workers.map((worker) => worker.terminate()))
  await Promise.all(
    workers.map(
      (worker) =>
        new Promise<void>((resolve, reject) => {
          worker.on('message', (report: Report) => {
            if (each(report) === 'enough') void stop()
          })
          worker.on('error', reject)
          worker.on('exit', () => resolve())
        }),
    ),
  )
}
