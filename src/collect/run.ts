import { ActionError, unknownFault } from '../core/errors.ts'
import { duration, plainText } from '../core/text.ts'
import { VERSION } from '../core/version.ts'
import { explainGitHub } from '../github/explain.ts'
import { githubClient } from '../github/octokit.ts'
import type { RawInputs } from '../inputs/read.ts'
import { maskSecrets, requireKey } from '../inputs/service.ts'
import type { Deps } from '../runner/deps.ts'
import type { Environment } from '../runner/environment.ts'
import { readTrigger } from '../trigger/event.ts'
import { secretsAreWithheld } from '../trigger/triage.ts'
import { readCollectInputs } from './inputs.ts'
import { openRequests } from './open-requests.ts'
import { report, serviceTrouble } from './report.ts'
import { sweep } from './sweep.ts'

/** One sweep over the repository's threads. Never throws. @returns whether the step ends red */
export async function collect(deps: Deps, raw: RawInputs, environment: Environment): Promise<boolean> {
  const { runner } = deps
  try {
    await story(deps, raw, environment)
    return false
  } catch (error) {
    runner.annotate(
      'error',
      plainText(error instanceof ActionError ? error.message : unknownFault(runner, error)),
    )
    return true
  }
}

async function story(deps: Deps, raw: RawInputs, environment: Environment): Promise<void> {
  maskSecrets(raw, deps.runner)
  const inputs = readCollectInputs(raw)
  const { access, githubToken: token, sinceMs } = inputs
  if (access.apiKey === '' && secretsAreWithheld(readTrigger(environment), environment.actor)) {
    deps.runner.annotate('warning', WITHHELD)
    return report(deps, [])
  }
  requireKey(access)

  const { repository, apiUrl } = environment
  deps.log(`Docs agent ${VERSION} · collect in ${repository}, the last ${duration(sinceMs)}`)
  const github = githubClient(deps, { apiUrl, token })
  const everywhere = { apiKey: access.apiKey, projectId: access.projectId, repository }
  const now = deps.now()
  const requests = await openRequests(github, everywhere, now - sinceMs, now).catch((cause: unknown) => {
    const sentence = explainGitHub(cause, 'read the comments of the repository', 'issues: write')
    throw new ActionError('internal', sentence, { cause })
  })
  const collected = await sweep({ deps, inputs, environment, everywhere, github }, requests)
  report(deps, collected)
  const trouble = serviceTrouble(collected)
  if (trouble !== undefined) throw trouble
}

/** As the root action does (contract 1.3): a workflow that collects when a pull request opens meets forks, too. */
const WITHHELD =
  'GitHub withholds secrets from this run, so there is no api-key and nothing was collected. That is so for pull requests from forks and for Dependabot: the next sweep collects.'
