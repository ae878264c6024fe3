import { throwIfCancelled } from '../core/cancellation.ts'
import { ActionError, Cancelled, unknownFault } from '../core/errors.ts'
import { samePullRequest } from '../core/link.ts'
import { isRed } from '../core/outcome.ts'
import { plainText } from '../core/text.ts'
import { readInputs } from '../inputs/inputs.ts'
import type { RawInputs } from '../inputs/read.ts'
import { maskSecrets, requireKey } from '../inputs/service.ts'
import type { Deps } from '../runner/deps.ts'
import type { Environment } from '../runner/environment.ts'
import type { Memory } from '../thread/memory.ts'
import { checkAccess } from '../trigger/access.ts'
import { isRemembered } from '../trigger/agent-pull-request.ts'
import { readTrigger } from '../trigger/event.ts'
import { instructionOf } from '../trigger/instruction.ts'
import { isPullRequestEvent, secretsAreWithheld, triage } from '../trigger/triage.ts'
import { heedEarlier } from './earlier.ts'
import { finish } from './finish.ts'
import { logHeader } from './log.ts'
import { planFor } from './plan.ts'
import { leaveState } from './post-state.ts'
import { begin, ended, endingOf, type Progress, type Result } from './progress.ts'
import { pursue } from './pursue.ts'
import { openSession, type Session } from './session.ts'
import { answerStatus } from './status.ts'

/**
 * One run of the root action, from the event to the last word in the thread.
 * @returns whether the step ends red
 */
export async function run(deps: Deps, raw: RawInputs, environment: Environment): Promise<boolean> {
  const progress = begin(deps.runner, deps.now())
  const told = await story(deps, raw, environment, progress).catch((error) => resultOf(deps, error))
  const result = await heedEarlier(progress, told)
  await finish(deps, progress, endingOf(progress, result, deps.now()))
  return isRed(result.outcome, progress.inputs?.onTimeout)
}

/** The story in order. The first four steps ask nobody anything; the service is not asked before the fifth. */
async function story(
  deps: Deps,
  raw: RawInputs,
  environment: Environment,
  progress: Progress,
): Promise<Result> {
  maskSecrets(raw, deps.runner)
  const inputs = readInputs(raw)
  progress.inputs = inputs

  const trigger = readTrigger(environment)
  const verdict = triage(trigger, inputs)
  if ('skip' in verdict) return ended('skipped', verdict.skip)
  const { command } = verdict

  if (inputs.access.apiKey === '' && secretsAreWithheld(trigger, environment.actor)) {
    return ended('skipped', 'missing-secret')
  }
  requireKey(inputs.access)

  const instruction = instructionOf(command, inputs, environment.workspace)
  const session = openSession(deps, {
    inputs,
    trigger,
    environment,
    instruction,
    startedAt: progress.startedAt,
  })
  progress.session = session
  logHeader(deps.log, session)
  if (inputs.conversation === 'skip' && session.scope === undefined) {
    deps.runner.annotate('warning', NOTHING_TO_SKIP_BY)
  }

  const access = await checkAccess(session.github, environment.repository, trigger, inputs.minPermission)
  throwIfCancelled(deps.cancellation)
  if (!access.granted) {
    progress.denied = access
    if (access.unread !== undefined) deps.runner.annotate('warning', plainText(access.unread))
    return ended('skipped', 'permission-denied')
  }

  leaveState(deps.runner, { phase: 'begun', key: session.request.key })
  const { thread } = session
  const [memory] = await Promise.all([thread.recall(), thread.reactions.acknowledge()])
  progress.memory = memory
  throwIfCancelled(deps.cancellation)
  if (await isAgentPullRequest(session, memory)) return ended('skipped', 'agent-pull-request')
  if (command !== 'input' && command.kind === 'help') return ended('skipped', 'help')
  if (command !== 'input' && command.kind === 'status') {
    return await answerStatus(deps, session, memory, progress)
  }

  const plan = await planFor(
    { ...deps, github: session.github },
    {
      client: session.client,
      memory,
      inputs,
      fresh: command !== 'input' && command.kind === 'prompt' && command.fresh,
      runAttempt: environment.runAttempt,
      serverUrl: environment.serverUrl,
      deadline: session.deadline,
    },
  )
  progress.planned = true
  return await pursue(deps, session, plan, progress)
}

const NOTHING_TO_SKIP_BY =
  'Input conversation is skip, but this run has no thread to remember a job in, so every run starts a new one. Set issue-number.'

/** The agent's own pull request, whoever opened it in its name; an author in `allowed-bots` is followed (3.5). */
async function isAgentPullRequest(
  { trigger, scope, github, inputs, environment }: Session,
  memory?: Memory,
): Promise<boolean> {
  const { subject } = trigger
  if (subject === undefined || scope === undefined || !isPullRequestEvent(trigger)) return false
  if (inputs.allowedBots.includes(subject.author?.login ?? '')) return false
  const { serverUrl } = environment
  const known = [...(memory?.prLinks ?? [])].some((link) => samePullRequest(link, subject.url, serverUrl))
  return known || (await isRemembered(github, scope, subject.url, serverUrl))
}

/** What was thrown, as an ending. */
function resultOf({ runner }: Deps, error: unknown): Result {
  if (error instanceof Cancelled) return ended('cancelled')
  if (error instanceof ActionError) return ended('error', error.reason, error.message)
  return ended('error', 'internal', unknownFault(runner, error))
}
