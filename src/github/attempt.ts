import { plainText } from '../core/text.ts'
import type { Runner } from '../runner/runner.ts'
import { explainGitHub, statusOf } from './explain.ts'

export type Attempt = <T>(doing: string, permission: string, act: () => Promise<T>) => Promise<T | undefined>

/**
 * Commenting never decides the outcome (contract 5.6): what GitHub refuses becomes undefined and a warning. One for
 * an outage and one for each permission, since what refuses the first comment refuses the others too.
 */
export function forgiving(runner: Pick<Runner, 'annotate'>): Attempt {
  const warned = new Set<string>()
  return async (doing, permission, act) => {
    try {
      return await act()
    } catch (error) {
      const sentence = plainText(`${explainGitHub(error, doing, permission)} The run goes on.`)
      const cause = isOutage(statusOf(error)) ? 'outage' : permission
      runner.annotate(warned.has(cause) ? 'debug' : 'warning', sentence)
      warned.add(cause)
      return undefined
    }
  }
}

/** GitHub was not reached, or is in trouble itself. */
const isOutage = (status: number): boolean => status === 0 || status >= 500
