import type { Core } from '../deps.ts'
import { isRefused } from '../errors.ts'
import { explainAllFailed, explainFailed, type FailedTask, type SideTask } from '../messages/side-tasks.ts'
import { plainText } from '../text.ts'

export interface FailureWarnings {
  /** The result, or undefined where GitHub refused or did not answer. */
  warnOnFailure<T>(task: SideTask, act: () => Promise<T>): Promise<T | undefined>
  /** The same where the run cannot go on without an answer. @throws {ForgeError} where GitHub did not answer */
  warnIfRefused<T>(task: SideTask, act: () => Promise<T>): Promise<T | undefined>
  /** @returns whether it is done, or never will be: what GitHub does not answer stays open */
  settled(task: SideTask, act: () => Promise<unknown>): Promise<boolean>
  add(task: SideTask, error: unknown): undefined
  /**
   * Gives the step's one warning, where something failed.
   * @param now what is true of the thread by then, one of `THREAD_NOW`; '' for nothing to say
   */
  flush(now?: string): string
}

/** Keeps what failed for the step's one warning; the rest goes to the debug log. */
export function failureWarnings(core: Pick<Core, 'warning' | 'debug'>): FailureWarnings {
  const failed: FailedTask[] = []
  const warnings: FailureWarnings = {
    async warnOnFailure(task, act) {
      try {
        return await act()
      } catch (error) {
        return warnings.add(task, error)
      }
    },
    async warnIfRefused(task, act) {
      try {
        return await act()
      } catch (error) {
        if (isRefused(error)) return warnings.add(task, error)
        throw error
      }
    },
    async settled(task, act) {
      try {
        await act()
        return true
      } catch (error) {
        warnings.add(task, error)
        return isRefused(error)
      }
    },
    add(task, error) {
      failed.push({ task, error })
      core.debug(plainText(explainFailed({ task, error })))
    },
    flush(now = '') {
      if (failed.length === 0) return ''
      const warning = explainAllFailed(failed.splice(0), now)
      core.warning(plainText(warning))
      return warning
    },
  }
  return warnings
}
