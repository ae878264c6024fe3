import type { Deps, MaskedDeps } from '../deps.ts'
import { ActionError, Cancelled } from '../errors.ts'
import { secretsAreWithheld } from '../event/gate.ts'
import { type RunContext, readTrigger, type Trigger } from '../event/trigger.ts'
import { whileReporting } from '../http/failure.ts'
import { VERSION } from '../http/fetch.ts'
import { ServiceError } from '../http/service.ts'
import { COMMENT_MODES, DEFAULT_POLL_MS } from '../inputs/inputs.ts'
import { choice, type GetInput, maskSecrets, numberIn, readAccess, requireKey } from '../inputs/readers.ts'
import { fullName, samePullRequest } from '../link.ts'
import { explainError, explainGitHub } from '../messages/explain.ts'
import { findOwner, showsAgent } from '../run/agent-pull-requests.ts'
import { duration, plainText } from '../text.ts'
import { openSession, type Session } from '../thread/session.ts'
import { findRequests, type OpenRequest } from './open-requests.ts'
import { writeOutputs } from './outputs.ts'
import { finishLeftOver, sweep } from './sweep.ts'

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
  try {
    await collectOnce(deps, readContext)
  } catch (error) {
    // A request that the cancellation cuts off looks like one that broke.
    const isCancelled = cancellation.requested.aborted
    core.setFailed(
      isCancelled ? 'The run was cancelled. The next sweep goes on.' : plainText(explainError(core, error)),
    )
  }
}

async function collectOnce(deps: MaskedDeps, readContext: () => Promise<RunContext>): Promise<void> {
  const { core } = deps
  const inputs = readCollectInputs(core.getInput)
  const { access, sinceMs, waitMs } = inputs
  const context = await readContext()
  const trigger = readTrigger(context)
  if (access.apiKey === '' && secretsAreWithheld(trigger, context.actor)) {
    core.warning(WITHHELD)
    return await writeOutputs(deps, context, [])
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
  const open = requests.filter((request): request is OpenRequest => request.record.state === 'running')
  const first = await waitForWaker(session, trigger, open, waitMs)
  const rest = open.filter((request) => !first.includes(request))
  const collected = [...(await sweep(session, first)), ...(await sweep(session, rest))]
  if (session.commentMode !== 'off') {
    const left = requests.filter(
      ({ record, hasLeftOver }) =>
        (record.state === 'sending' && !record.isTold) || (hasLeftOver && record.state !== 'running'),
    )
    await finishLeftOver(session, left)
  }
  session.warnings.flush('The next sweep tries again where GitHub did not answer.')
  await writeOutputs(deps, context, collected)
  // Where every read failed, the service cannot be used.
  const troubles = collected.flatMap((one) => {
    const isTrouble =
      one.kind === 'failed' && (one.error instanceof ServiceError || one.error instanceof Cancelled)
    return isTrouble ? [one.error] : []
  })
  if (troubles.length > 0 && troubles.length === collected.length) throw troubles[0]
}

/** As the root action does (contract 1.3): a workflow that collects when a pull request opens also meets forks. */
const WITHHELD =
  'GitHub withholds secrets from this run, so there is no api-key and nothing was collected. It does so for pull requests from forks and for Dependabot: the next sweep collects.'

const ACTIONS = ['opened', 'synchronize']

/**
 * The requests whose job may have opened the pull request that wakes a sweep (contract 8.4), once that job ended or the
 * time is up. A job names its pull request only at its end, so those that may have opened it are read to tell.
 * @param waitMs 0 does not wait
 * @returns none for every other event: those get an ordinary sweep
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
async function waitForWaker(
  session: Session,
  { event, action, subject }: Trigger,
  requests: readonly OpenRequest[],
  waitMs: number,
): Promise<readonly OpenRequest[]> {
  if (event !== 'pull_request' || !ACTIONS.includes(action) || subject === undefined) return []
  const { deps, context } = session
  const { url, createdAt } = subject
  const named = requests.filter(({ record }) => samePullRequest(record.job.prLink, url, context.serverUrl))
  // A bot that brings its old pull requests up to date is not the agent.
  const mayHaveOpened = requests.filter(({ askedAt }) => action === 'opened' || askedAt <= createdAt)
  const known = named.length > 0 ? named : mayHaveOpened
  const isAgents = named.length > 0 || subject.author?.bot === true
  if (known.length === 0 || !(isAgents || (await showsAgent(session, subject, [])))) return []
  if (waitMs > 0) {
    const jobs = known.map(({ record }) => record.job.id)
    const startedAt = deps.monotonic()
    const waiting = { deadline: startedAt + waitMs, pollMs: DEFAULT_POLL_MS, startedAt, untilEnd: true }
    await findOwner(session, url, jobs, waiting)
  }
  return known
}
