import { agentClient } from '../agent/client.ts'
import type { Deps } from '../deps.ts'
import { ActionError, unexpectedError } from '../errors.ts'
import { secretsAreWithheld } from '../event/gate.ts'
import { fullName, type RunContext } from '../event/run-context.ts'
import { readTrigger } from '../event/trigger.ts'
import { openForge } from '../github/open-forge.ts'
import { failureWarnings } from '../github/warn-on-failure.ts'
import { VERSION } from '../http/fetch.ts'
import { whileReporting } from '../http/retry-rules.ts'
import { choice, type GetInput, maskSecrets, numberIn, readAccess, requireKey } from '../input-readers.ts'
import { COMMENT_MODES } from '../inputs.ts'
import { explainGitHub } from '../messages/errors.ts'
import { duration, plainText } from '../text.ts'
import { findRequests } from './open-requests.ts'
import { report, serviceTrouble } from './report.ts'
import { type Sweep, sweep, tidyUp } from './sweep.ts'
import { waitForWaker, wakeUpOf } from './wake-up.ts'

/** A month, for jobs that take minutes. */
const MAX_HOURS = 744

/** No job of GitHub's runners lasts longer. */
const MAX_WAIT_MINUTES = 360

/**
 * The inputs of `collect`, checked and typed (contract 8). The key may be '': see `requireKey`.
 * @throws {BadInput} on the first input that cannot be used
 */
export const readCollectInputs = (input: GetInput) => ({
  access: readAccess(input),
  githubToken: input('github-token'),
  sinceMs: numberIn(input, 'since-hours', { min: 0.01, max: MAX_HOURS, unit: 'hours' }, 48) * 3_600_000,
  waitMs: numberIn(input, 'wait-minutes', { min: 0, max: MAX_WAIT_MINUTES, unit: 'minutes' }, 3) * 60_000,
  mode: choice(input, 'comment', COMMENT_MODES, 'recreate'),
})

/**
 * One sweep over the repository's threads (contract 8). Where the agent's pull request wakes it, it waits for the end
 * of that job first (8.4); any other event gets an ordinary sweep.
 */
export async function collect(deps: Deps, readContext: () => Promise<RunContext>): Promise<void> {
  const { core } = deps
  try {
    await collectOnce(deps, readContext)
  } catch (error) {
    core.setFailed(plainText(error instanceof ActionError ? error.message : unexpectedError(core, error)))
  }
}

async function collectOnce(deps: Deps, readContext: () => Promise<RunContext>): Promise<void> {
  const { core } = deps
  const secrets = maskSecrets(core)
  const { access, githubToken: token, sinceMs, waitMs, mode } = readCollectInputs(core.getInput)
  const context = await readContext()
  const trigger = readTrigger(context)
  if (access.apiKey === '' && secretsAreWithheld(trigger, context.actor)) {
    core.warning(WITHHELD)
    return await report(deps, [])
  }
  requireKey(access)
  core.info(
    `Docs agent ${VERSION} · collect in ${fullName(context.repository)}, the last ${duration(sinceMs)}`,
  )
  const forge = await openForge(deps, context, token, { limits: whileReporting() })
  const { apiKey, projectId } = access
  const scope = { apiKey, projectId, repositoryId: forge.repositoryId }
  const now = deps.now()
  const { open, untidy } = await findRequests(forge, scope, now - sinceMs, now).catch((cause: unknown) => {
    const sentence = explainGitHub(cause, 'read the comments of the repository', 'issues: write')
    throw new ActionError('internal', sentence, { cause })
  })
  const [client, warnings] = [agentClient(deps, access), failureWarnings(core)]
  const shared = { deps, client, context, scope, forge, mode, secrets, warnings }
  const all: Sweep = { ...shared, ended: new Map(), previews: [] }
  const wakeUp = wakeUpOf(trigger, open, context.serverUrl)
  if (wakeUp !== undefined) await waitForWaker(all, wakeUp, waitMs)
  const first = wakeUp?.requests ?? []
  const rest = open.filter((request) => !first.includes(request))
  const collected = [...(await sweep(all, first)), ...(await sweep(all, rest))]
  if (mode !== 'off') await tidyUp(all, untidy)
  await Promise.all(all.previews)
  warnings.flush()
  await report(deps, collected)
  const trouble = serviceTrouble(collected)
  if (trouble !== undefined) throw trouble
}

/** As the root action does (contract 1.3): a workflow that collects when a pull request opens also meets forks. */
const WITHHELD =
  'GitHub withholds secrets from this run, so there is no api-key and nothing was collected. It does so for pull requests from forks and for Dependabot: the next sweep collects.'
