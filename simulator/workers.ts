import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Breach } from './rules.ts'
import type { Tally } from './tally.ts'

/** A story to play. */
export interface Task {
  readonly seed: number
  /** Name of the sabotage that is at work in it. */
  readonly sabotage?: string
}

/** What comes back from it. */
export interface Report extends Task {
  readonly breaches: readonly Breach[]
  readonly tally: Tally
  readonly soft: Tally
  /** In full. */
  readonly story: string
}

const MOST_WORKERS = 4

/** Plays the stories on as many threads as there are processors; each takes the next one when it is free. */
export async function playAll(tasks: Iterator<Task>, each: (report: Report) => void): Promise<void> {
  const workers = Math.min(MOST_WORKERS, availableParallelism())
  await Promise.all(
    Array.from({ length: workers }, () => {
      const worker = new Worker(new URL('./worker.ts', import.meta.url))
      const goOn = () => {
        const { value, done } = tasks.next()
        if (done) void worker.terminate()
        else worker.postMessage(value)
      }
      return new Promise<void>((resolve, reject) => {
        worker.on('message', (report: Report) => {
          each(report)
          goOn()
        })
        worker.on('error', reject)
        worker.on('exit', () => resolve())
        goOn()
      })
    }),
  )
}
