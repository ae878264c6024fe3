import type { Deps, MaskedDeps } from '../deps.ts'
import { ActionError } from '../errors.ts'
import { secretsAreWithheld } from '../event/gate.ts'
import { type RunContext, readTrigger } from '../event/trigger.ts'
import { whileReporting } from '../http/failure.ts'
import { VERSION } from '../http/fetch.ts'
import { COMMENT_MODES } from '../inputs/inputs.ts'
import { choice, type GetInput, maskSecrets, numberIn, readAccess, requireKey } from '../inputs/readers.ts'
import { fullName } from '../link.ts'
import { explainError, explainGitHub } from '../messages/explain.ts'
import { duration, plainText } from '../text.ts'
import { openSession } from '../thread/session.ts'
import { findRequests, isUncollected, type KnownRequest } from './open-requests.ts'
import { report, serviceTrouble } from './results.ts'
import { settleAll, sweep } from './sweep.ts'
import { waitForWaker } from './wake-up.ts'

/** A month, for jobs that take minutes. */
const MAX_HOURS = 744

/** No job of GitHub's runners lasts longer. */
const MAX_WAIT_MINUTES = 360

/** Contract 8. The key may be '': see `requireKey`. @throws {BadInput} on the first input that cannot be used */
export const readCollectInputs = (input: GetInput) => ({
  access: readAccess(input),
  githubToken: input('github-token'),
  sinceMs: numberIn(input, 'since-hours', { min: 0.01, max: MAX_HOURS, unit: 'hours' }, 48) * 3_600_000,
  waitMs: numberIn(input, 'wait-minutes', { min: 0, max: MAX_WAIT_MINUTES, unit: 'minutes' }, 3) * 60_000,
  comment: choice(input, 'comment', COMMENT_MODES, 'recreate'),
})

/** One sweep over the repository's threads (contract 8). */
export async function collect(given: Deps, readContext: () => Promise<RunContext>): Promise<void> {
  const deps = maskSecrets(given)
  const { core, cancellation } = deps
  await collectOnce(deps, readContext).catch((error: unknown) => {
    // A request that the cancellation cuts off looks like one that broke.
    const isCancelled = cancellation.requested.aborted
    core.setFailed(
      isCancelled ? 'The run was cancelled. The next sweep goes on.' : plainText(explainError(core, error)),
    )
  })
}

async function collectOnce(deps: MaskedDeps, readContext: () => Promise<RunContext>): Promise<void> {
  const { core } = deps
  const inputs = readCollectInputs(core.getInput)
  const { access, sinceMs, waitMs } = inputs
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
  const session = await openSession({ deps, context, limits: whileReporting(), inputs })
  const now = deps.now()
  const requests = await findRequests(session, now - sinceMs).catch((cause: unknown) => {
    const sentence = explainGitHub(cause, 'read the comments of the repository', 'issues: write')
    throw new ActionError('github-unavailable', sentence, { cause })
  })
  const open = requests.filter(isUncollected)
  const first = await waitForWaker(session, trigger, open, waitMs)
  const rest = open.filter((request) => !first.includes(request))
  const collected = [...(await sweep(session, first)), ...(await sweep(session, rest))]
  if (session.commentMode !== 'off') {
    const isLeft = ({ record, isUnsettled }: KnownRequest) =>
      (record.state === 'sending' && !record.isTold) || (isUnsettled && record.state !== 'running')
    await settleAll(session, requests.filter(isLeft))
  }
  session.warnings.flush('The next sweep tries again where GitHub did not answer.')
  await report(deps, collected)
  const trouble = serviceTrouble(collected)
  if (trouble !== undefined) throw trouble
}

/** As the root action does (contract 1.3): a workflow that collects when a pull request opens also meets forks. */
const WITHHELD =
  'GitHub withholds secrets from this run, so there is no api-key and nothing was collected. It does so for pull requests from forks and for Dependabot: the next sweep collects.'
