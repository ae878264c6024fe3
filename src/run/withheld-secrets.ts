import type { Deps } from '../deps.ts'
import { octokitClient } from '../github/client.ts'
import { openForge } from '../github/open-forge.ts'
import type { Inputs } from '../inputs.ts'
import type { RunContext } from '../run-context.ts'
import type { Trigger } from '../trigger/event.ts'
import { secretsAreWithheld } from '../trigger/gate.ts'

/** Whether the forge gives this run no secrets (contract 1.3), which it tells where the event does not. */
export async function withholdsSecrets(
  deps: Deps,
  { githubToken: token }: Pick<Inputs, 'githubToken'>,
  context: RunContext,
  trigger: Trigger,
): Promise<boolean> {
  if (secretsAreWithheld(trigger, context.actor)) return true
  const { comment, subject } = trigger
  if (comment?.kind !== 'issue' || subject?.isPullRequest !== true) return false
  try {
    const forge = await openForge(await octokitClient(deps, { apiUrl: context.apiUrl, token }), context)
    return await forge.withholdsSecretsOn(subject.number)
  } catch {
    // The error about the missing input then says what to do.
    return false
  }
}
