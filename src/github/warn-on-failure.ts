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
  /** The one warning of the step, '' for none. */
  flush(): string
}

/**
 * One warning a step, for the most important thing that failed, with the lines for every permission that is missing:
 * what refuses one comment refuses the others, too. The rest goes to the debug log.
 */
export function failureWarnings(core: Pick<Core, 'warning' | 'debug'>): FailureWarnings {
  let main: { readonly task: SideTask; readonly sentence: string } | undefined
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
      const { doing, permission, consequence } = task
      const sentence = plainText(joined(' ', explainGitHub(error, doing, permission), consequence))
      core.debug(sentence)
      if (isRefused(error) && permission !== '') missing.add(permission)
      if (main === undefined || (main.task.consequence === '' && consequence !== ''))
        main = { task, sentence }
    },
    flush() {
      if (main === undefined) return ''
      const { task, sentence } = main
      const others = [...missing].filter((permission) => permission !== task.permission)
      const add = others.length === 0 ? '' : `Other steps lack ${others.join(' and ')}.`
      const warning = joined(' ', sentence, add, 'The run goes on.')
      main = undefined
      core.warning(warning)
      return warning
    },
  }
  return warnings
}
