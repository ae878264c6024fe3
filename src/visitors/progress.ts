import { clock, count } from '../core/text.ts'

/** @param rows how many more there are now */
export type Progress = (requests: number, rows: number) => void

const EVERY_MS = 1000

/** Shows how far the reading got, at most once a second; a run of less than that says nothing. */
export function progress(deps: { now(): number; log(line: string): void }): Progress {
  const startedAt = deps.now()
  let lastLine = startedAt
  let all = 0
  return (requests, rows) => {
    all += rows
    const now = deps.now()
    if (now - lastLine < EVERY_MS) return
    lastLine = now
    const rate = Math.round((all * 1000) / (now - startedAt))
    deps.log(
      `  ${clock(now - startedAt).padStart(5)}  ${count(requests, 'page')}, ${count(all, 'row')}, ${count(rate, 'row')} a second`,
    )
  }
}
