import { crypto } from '../core/crypto.ts'
import type { Environment } from '../runner/environment.ts'

/**
 * What makes two runs the same request (contract 5.2): the comment, or without one the run; then workflow, job, step,
 * project and instruction. The attempt is left out: that is what lets a re-run find what came before it.
 */
export function requestKey(
  environment: Environment,
  asked: { readonly comment: string; readonly projectId: string; readonly instruction: string },
): string {
  const { runId, workflow, job, step } = environment
  const origin = asked.comment === '' ? `run:${runId}` : asked.comment
  const parts = [origin, workflow, job, step, asked.projectId, asked.instruction]
  return crypto().createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
}
