import { type Check, type StartedCheck, suitesOf } from '../../../emulator/github/checks.ts'

/** What checks each head of the agent's pull request: a workflow of GitHub Actions, or other CI, which sets statuses. */
export interface Ci {
  readonly name: string
  readonly ms: number
  readonly isOther?: true
}

/** GitHub knows of a commit's checks a while after the push. */
const APPEARS_MS = 3000

/** Two jobs of each, one of which ends first. @param failing of the first one's: which */
export const checksOf = (ci: readonly Ci[], failing?: number): Check[] =>
  ci.flatMap(({ name, ms, isOther = false }, at) =>
    [0, 1].map(
      (job): Check => ({
        name: `${name} ${job}`,
        ...(isOther ? { kind: 'status' } : { suite: name, workflow: name }),
        ...{ appearsAfterMs: APPEARS_MS, takesMs: job === 0 ? ms / 2 : ms },
        conclusion: at === 0 && job === failing ? 'failure' : 'success',
      }),
    ),
  )

/** The names of the workflows that have ended. */
export const endedWorkflows = (checks: readonly StartedCheck[], now: number): string[] =>
  suitesOf(checks, now).flatMap(({ status, runs: [first] }) =>
    status === 'completed' && first?.workflow !== undefined ? [first.workflow] : [],
  )

/** The names of the commit statuses that say an end. */
export const endedStatuses = (checks: readonly StartedCheck[], now: number): string[] =>
  checks.flatMap(({ kind, name, endsAt }) => (kind === 'status' && now >= endsAt ? [name] : []))
