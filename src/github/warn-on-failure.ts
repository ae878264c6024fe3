import type { Core } from '../deps.ts'
import { explainGitHub } from '../messages/errors.ts'
import { plainText } from '../text.ts'

/** Something that the action does on GitHub and that never decides the outcome (contract 5.6). */
export interface SideTask {
  /** Completes "Could not …". */
  readonly doing: string
  /** The workflow permission that it takes, such as `issues: write`; '' where none gives it. */
  readonly permission: string
  /** What people lose; '' for a detail that only matters where nothing more important failed. */
  readonly consequence: string
}

export type FailureWarnings = ReturnType<typeof failureWarnings>

/**
 * One warning a step, for the most important thing that failed: what refuses one comment refuses the others, too. The
 * rest goes to the debug log.
 */
export function failureWarnings(core: Pick<Core, 'warning' | 'debug'>) {
  let warning = ''
  let detail = ''
  const warn = (sentence: string) => {
    warning = sentence
    core.warning(sentence)
  }
  return {
    /** The result, or undefined where GitHub refused or did not answer. */
    async warnOnFailure<T>(task: SideTask, act: () => Promise<T>): Promise<T | undefined> {
      try {
        return await act()
      } catch (error) {
        const explained = explainGitHub(error, task.doing, task.permission)
        const sentences = [explained, task.consequence, 'The run goes on.'].filter(Boolean)
        const sentence = plainText(sentences.join(' '))
        if (task.consequence !== '' && warning === '') warn(sentence)
        else {
          core.debug(sentence)
          detail ||= sentence
        }
        return undefined
      }
    },
    /** Warns of a detail, where nothing more important failed. @returns the warning of this step, '' for none */
    flush(): string {
      if (warning === '' && detail !== '') warn(detail)
      return warning
    },
  }
}
