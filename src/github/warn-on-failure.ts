import type { Core } from '../deps.ts'
import { isRefused } from '../errors.ts'
import { explainGitHub } from '../messages/explain.ts'
import type { SideTask } from '../messages/side-tasks.ts'
import { joined, plainText } from '../text.ts'

export interface FailureWarnings {
  /** The result, or undefined where GitHub refused or did not answer. */
  warnOnFailure<T>(task: SideTask, act: () => Promise<T>): Promise<T | undefined>
  /** The same where the run cannot go on without an answer. @throws {ForgeError} where GitHub did not answer */
  warnIfRefused<T>(task: SideTask, act: () => Promise<T>): Promise<T | undefined>
  add(task: SideTask, error: unknown): undefined
  flush(): string
}

interface Failed {
  readonly task: SideTask
  readonly error: unknown
}

const consequenceOf = ({ consequence, isMadeGood }: SideTask): string =>
  isMadeGood?.() === true ? '' : consequence

const sentenceOf = ({ task, error }: Failed): string =>
  plainText(joined(' ', explainGitHub(error, task.doing, task.permission), consequenceOf(task)))

/**
 * One warning a step, for the most important thing that failed, with every permission that is missing: what
 * refuses one comment refuses the others, too. The rest goes to the debug log.
 */
export function failureWarnings(core: Pick<Core, 'warning' | 'debug'>): FailureWarnings {
  const failed: Failed[] = []
  const missing = new Set<string>()
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
    add(task, error) {
      const { permission } = task
      failed.push({ task, error })
      core.debug(sentenceOf({ task, error }))
      // GitHub answers 404 as well where a permission is missing, but 401 only to a bad token.
      if (isRefused(error, 403, 404) && permission !== '') missing.add(permission)
    },
    flush() {
      const all = failed.splice(0)
      const main = all.find(({ task }) => consequenceOf(task) !== '') ?? all[0]
      if (main === undefined) return ''
      const others = [...missing].filter((permission) => permission !== main.task.permission)
      const add = others.length === 0 ? '' : `Other steps may lack ${others.join(' and ')}.`
      const warning = joined(' ', sentenceOf(main), add, 'The run goes on.')
      core.warning(warning)
      return warning
    },
  }
  return warnings
}
