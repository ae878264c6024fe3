import { type Deps, type MaskedDeps, sleepUnlessCancelled } from '../base/deps.ts'
import { ActionError, Cancelled } from '../base/errors.ts'
import { fullName } from '../base/link.ts'
import { maskSecrets } from '../base/redact.ts'
import { count, duration, plainText } from '../base/text.ts'
import { readChecksEvent } from '../event/checks-event.ts'
import { secretsAreWithheld } from '../event/gate.ts'
import { type Runner, readTrigger, type Trigger } from '../event/trigger.ts'
import { VERSION } from '../http/fetch.ts'
import { DEFAULT_POLL_MS } from '../http/retry.ts'
import { ServiceError } from '../http/service.ts'
import { COMMENT_MODES } from '../inputs/inputs.ts'
import {
  choice,
  faultOfMemoryKey,
  type GetInput,
  numberIn,
  readAccess,
  readDailyLimit,
  readFixAttempts,
  readKey,
  requireKey,
} from '../inputs/readers.ts'
import type { Job } from '../record/job.ts'
import { isTerminal } from '../record/outcome.ts'
import { PERMISSIONS } from '../record/permission.ts'
import { areChecksFollowed } from '../record/states.ts'
import { readJobs, showsAgent } from '../thread/agent-pull-requests.ts'
import { isSamePullRequest } from '../thread/docs-pull-request.ts'
import { openSession, type Session } from '../thread/session.ts'
import { explainError, explainGitHub } from '../words/explain.ts'
import { CAUSES, otherAccount, unverifiedThreads } from '../words/notes.ts'
import { describeSweep } from '../words/sweep-summary.ts'
import { isNamedBy, narrowWork } from './named-requests.ts'
import {
  accountsOf,
  endRunning,
  endUnfinished,
  findWork,
  type OpenRequest,
  type SweepResult,
  type Work,
} from './sweep.ts'
import { sweepAllChecks } from './sweep-checks.ts'

/** A month, for jobs that take minutes. */
const MAX_HOURS = 744

/** No job of GitHub's runners lasts longer. */
const MAX_WAIT_MINUTES = 360

/** https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#pause-between-mutative-requests */
const WRITES_APART_MS = 1000

/** The key may be '': see `requireKey`. @throws {BadInput} on the first input that cannot be used */
export const readCollectInputs = (input: GetInput) => ({
  access: readAccess(input),
  githubToken: readKey(input, 'github-token'),
  sinceMs: numberIn(input, 'since-hours', { min: 0.01, max: MAX_HOURS, unit: 'hours' }, 48) * 3_600_000,
  waitMs: numberIn(input, 'wait-minutes', { min: 0, max: MAX_WAIT_MINUTES, unit: 'minutes' }, 3) * 60_000,
  comment: choice(input, 'comment', COMMENT_MODES, 'recreate'),
  fixAttempts: readFixAttempts(input),
  dailyLimit: readDailyLimit(input),
  minPermission: choice(input, 'min-permission', PERMISSIONS, 'none'),
})

/** One sweep over the repository's threads. */
export async function collect(given: Deps, readRunner: () => Promise<Runner>): Promise<void> {
  const deps = maskSecrets(given)
  const { core, cancellation } = deps
  try {
    await sweepRepository(deps, readRunner)
  } catch (error) {
    // A request that the cancellation cuts off looks like one that broke.
    const isCancelled = cancellation.requested.aborted
    core.setFailed(
      isCancelled ? 'The run was cancelled. The next sweep goes on.' : plainText(explainError(core, error)),
    )
  }
}

async function sweepRepository(deps: MaskedDeps, readRunner: () => Promise<Runner>): Promise<void> {
  const { core } = deps
  const inputs = readCollectInputs(core.getInput)
  const { access, sinceMs, waitMs } = inputs
  const runner = await readRunner()
  const trigger = readTrigger(runner)
  if ((access.apiKey === '' || access.memoryKey === '') && secretsAreWithheld(trigger, runner.actor)) {
    core.warning(trigger.inFork ? `${CAUSES.fork} Nothing was collected.` : WITHHELD)
    return await writeOutputs(deps, runner, [])
  }
  requireKey(access)
  const fault = faultOfMemoryKey(access)
  if (fault !== undefined) throw fault
  core.info(
    `Docs agent ${VERSION} · collect in ${fullName(runner.repository)}, the last ${duration(sinceMs)}`,
  )
  const session = await openSession({ deps, runner, inputs, writesApartMs: WRITES_APART_MS })
  const found = await findWork(session, deps.now() - sinceMs).catch((cause: unknown) => {
    const sentence = explainGitHub(cause, 'read the comments of the repository', 'issues: write')
    throw new ActionError('github-unavailable', sentence, { cause })
  })
  const checksEvent = readChecksEvent(runner)
  const isNamed = isNamedBy(runner, trigger, checksEvent)
  const work = checksEvent === undefined ? found : narrowWork(found, isNamed)
  if (work === undefined) {
    core.info(`  The ${checksEvent?.name} names no pull request of the docs agent that a record here knows.`)
    return await writeOutputs(deps, runner, [])
  }
  const { running, unfinished, notKnown } = work
  const openers = await waitForOpeners(session, trigger, running, waitMs)
  // They come first, with all that was asked before them in their threads.
  const first = running.filter(({ thread, record }) =>
    openers.some((one) => one.thread === thread && one.record.requestedAt >= record.requestedAt),
  )
  const later = running.filter((request) => !first.includes(request))
  const collected = [...(await endRunning(session, first)), ...(await endRunning(session, later))]
  if (session.commentMode !== 'off') {
    await endUnfinished(session, unfinished)
    // What an event names is read again where nobody follows it any more.
    const toFollow = [...work.followed, ...work.unsettled.filter(isNamed), ...watchedNow(collected)]
    await sweepAllChecks(session, toFollow, inputs, isNamed)
  }
  const accounts = [...running, ...unfinished].map(accountsOf).find((one) => one !== undefined)
  if (accounts !== undefined) core.warning(plainText(otherAccount(...accounts)))
  if (notKnown > 0) core.warning(unverifiedThreads(notKnown))
  session.warnings.flush('The next sweep tries again where GitHub did not answer.')
  await writeOutputs(deps, runner, collected)
  // Where every read failed, the service cannot be used.
  const troubles = collected.flatMap((one) => {
    const isTrouble =
      one.kind === 'failed' && (one.error instanceof ServiceError || one.error instanceof Cancelled)
    return isTrouble ? [one.error] : []
  })
  if (troubles.length > 0 && troubles.length === collected.length) throw troubles[0]
}

/** Requests that the sweep reported, and whose checks are to be followed from now on. */
const watchedNow = (collected: readonly SweepResult[]): readonly OpenRequest[] =>
  collected.flatMap((one) => {
    const now =
      one.kind === 'finished' ? one.request.thread.recordsFor(one.request.record).current : undefined
    return now !== undefined && areChecksFollowed(now.record) ? { ...one.request, ...now } : []
  })

/** As the root action does: a workflow that collects when a pull request opens also meets forks. */
const WITHHELD =
  'GitHub withholds secrets from this run, so it lacks api-key or memory-key, and nothing was collected. It does so for pull requests from forks and for Dependabot: the next sweep collects.'

const ACTIONS = ['opened', 'synchronize']

/**
 * The requests whose job may have opened the pull request that starts a sweep, once that job ended or the time is up. A job
 * usually names its pull request only at its end, so those that may have opened it are read until one does.
 * @param waitMs 0 does not wait
 * @returns none for every other event: those get an ordinary sweep
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
async function waitForOpeners(
  session: Session,
  { event, action, subject }: Trigger,
  requests: Work['running'],
  waitMs: number,
): Promise<Work['running']> {
  if (event !== 'pull_request' || !ACTIONS.includes(action) || subject === undefined) return []
  const { deps } = session
  const { url, createdAt } = subject
  const naming = async <T>(all: readonly T[], jobOf: (one: T) => Job): Promise<readonly T[]> => {
    const areIt = await Promise.all(all.map((one) => isSamePullRequest(session, jobOf(one).prLink, url)))
    return all.filter((_, at) => areIt[at])
  }
  const named = await naming(requests, ({ record }) => record.job)
  // A bot that brings its old pull requests up to date is not the agent.
  const mayHaveOpened = requests.filter(({ askedAt }) => action === 'opened' || askedAt <= createdAt)
  const known = named.length > 0 ? named : mayHaveOpened
  const isAgents = named.length > 0 || subject.author?.bot === true
  if (known.length === 0 || !(isAgents || (await showsAgent(session, subject, [])))) return []
  const ids = known.map(({ record }) => record.job.id)
  const deadline = deps.monotonic() + waitMs
  while (deps.monotonic() < deadline) {
    // A key that cannot read jobs is what the sweep says for each one.
    const jobs = await readJobs(session, ids).catch(() => [])
    const owners = await naming(jobs, (job) => job)
    const awaited = owners.length === 0 ? jobs : owners
    if (awaited.every((job) => isTerminal(job))) break
    deps.core.info(`  Waiting for ${count(awaited.length, 'job')} that may have opened ${url}`)
    await sleepUnlessCancelled(deps, Math.min(DEFAULT_POLL_MS, deadline - deps.monotonic()))
  }
  return known
}

async function writeOutputs(
  { core, now }: Deps,
  { serverUrl, repository }: Pick<Runner, 'serverUrl' | 'repository'>,
  collected: readonly SweepResult[],
): Promise<void> {
  const { sentence, lines, warnings, counts, result, summary } = describeSweep(collected, {
    now: now(),
    // A pull request has this address, too.
    issues: `${serverUrl}/${fullName(repository)}/issues`,
  })
  for (const line of [...lines, sentence]) core.info(line)
  for (const warning of warnings) core.warning(warning)
  for (const [name, those] of Object.entries(counts)) core.setOutput(name, String(those))
  core.setOutput('result', JSON.stringify(result))
  await core.setSummary(summary)
}
