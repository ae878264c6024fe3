import type { RequestRecord } from './record.ts'

/** What went back to the agent, and which of its pull requests have checks at all. */
export function checksIn(requests: readonly RequestRecord[]) {
  const checks = requests.flatMap((record) =>
    'checks' in record && record.checks !== undefined ? [{ ...record.checks, link: record.job.prLink }] : [],
  )
  return {
    sentFor: checks.flatMap(({ sentFor }) => sentFor),
    hadChecks: checks.flatMap(({ hadAny, link }) => (hadAny ? link : [])),
  }
}
