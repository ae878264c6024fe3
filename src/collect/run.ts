import { agentClient } from '../agent/client.ts'
import type { Deps } from '../deps.ts'
import { ActionError, unexpectedError } from '../errors.ts'
import { octokitClient } from '../github/client.ts'
import { openForge } from '../github/open-forge.ts'
import { failureWarnings } from '../github/warn-on-failure.ts'
import { explainGitHub } from '../messages/errors.ts'
import { fullName, type RunContext } from '../run-context.ts'
import { maskSecrets, requireKey } from '../service-access.ts'
import { duration, plainText } from '../text.ts'
import { readTrigger } from '../trigger/event.ts'
import { secretsAreWithheld } from '../trigger/gate.ts'
import { VERSION } from '../version.ts'
import { readCollectInputs } from './inputs.ts'
import { findRequests } from './open-requests.ts'
import { report, serviceTrouble } from './report.ts'
import { type Sweep, sweep, tidyUp } from './sweep.ts'
import { waitForWaker, wakeUpOf } from './wake-up.ts'

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
  const inputs = readCollectInputs(core.getInput)
  const { access, githubToken: token, sinceMs } = inputs
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
  const octokit = await octokitClient(deps, { apiUrl: context.apiUrl, token })
  const forge = await openForge(octokit, context)
  const { apiKey, projectId } = access
  const scope = { apiKey, projectId, repositoryId: forge.repositoryId }
  const now = deps.now()
  const found = await findRequests(forge, scope, now - sinceMs, now).catch((cause: unknown) => {
    const sentence = explainGitHub(cause, 'read the comments of the repository', 'issues: write')
    throw new ActionError('internal', sentence, { cause })
  })
  const { open: requests, untidy } = found
  const wakeUp = wakeUpOf(trigger, requests, context.serverUrl)
  const { serverUrl } = context
  const ended =
    wakeUp === undefined
      ? new Map()
      : await waitForWaker(deps, wakeUp, {
          client: agentClient(deps, access),
          serverUrl,
          waitMs: inputs.waitMs,
        })
  const first = wakeUp?.requests ?? []
  const rest = requests.filter((request) => !first.includes(request))
  const all: Sweep = {
    deps,
    inputs,
    context,
    scope,
    forge,
    secrets,
    ended,
    warnings: failureWarnings(deps.core),
    previews: [],
  }
  const collected = [...(await sweep(all, first)), ...(await sweep(all, rest))]
  if (inputs.comment !== 'off') await tidyUp(all, untidy)
  await Promise.all(all.previews)
  all.warnings.flush()
  await report(deps, collected)
  const trouble = serviceTrouble(collected)
  if (trouble !== undefined) throw trouble
}

/** As the root action does (contract 1.3): a workflow that collects when a pull request opens also meets forks. */
const WITHHELD =
  'GitHub withholds secrets from this run, so there is no api-key and nothing was collected. It does so for pull requests from forks and for Dependabot: the next sweep collects.'
