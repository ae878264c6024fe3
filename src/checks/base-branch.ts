import { orCancelled } from '../deps.ts'
import type { RepositoryName } from '../link.ts'
import type { Session } from '../thread/session.ts'
import type { ReadCheck } from './classify.ts'
import { readChecks, type WorkflowRuns } from './read-head.ts'

/** What fails at the head of the base branch, as last read: the agent is asked to leave it (contract 4.12). */
export class BaseBranch {
  readonly #workflowRuns: WorkflowRuns
  /** By name and app. */
  #failing: ReadonlySet<string> = new Set()

  constructor(workflowRuns: WorkflowRuns) {
    this.#workflowRuns = workflowRuns
  }

  /** A base that cannot be read has no failures. */
  async read(session: Session, repository: RepositoryName, branch: string): Promise<void> {
    const reading = readChecks(session, repository, branch, this.#workflowRuns)
    // Nor has one that a cancelled run no longer waits for: that run sends nothing.
    const { checks } = await orCancelled(session.deps.cancellation, reading).catch(() => ({ checks: [] }))
    this.#failing = new Set(checks.filter(({ result }) => result === 'failed').map(nameOf))
  }

  /** @returns the checks of a head, with what fails at the base as well marked so */
  mark(checks: readonly ReadCheck[]): readonly ReadCheck[] {
    return checks.map((check) =>
      check.result === 'failed' && this.#failing.has(nameOf(check)) ? { ...check, failsOnBase: true } : check,
    )
  }
}

const nameOf = ({ name, run }: ReadCheck): string => JSON.stringify([name, run?.app ?? ''])
