import { pullRequestOf } from './agent/link.ts'
import type { Deps } from './deps.ts'
import type { Ending } from './ending.ts'
import type { MarkerState } from './marker.ts'
import { isRed, type SkipReason } from './outcome.ts'
import type { Progress } from './progress.ts'
import type { Session } from './session.ts'
import { summaryOf } from './summary.ts'
import { pointTo } from './thread/pointer.ts'
import { reactionOf } from './thread/reactions.ts'
import { plain, refusal, resultComment, type Setting, statusAnswer, tell, usage } from './thread/words.ts'

/** Tells how the run ended, everywhere that people look: outputs, thread, summary, annotation and log. */
export async function finish(deps: Deps, progress: Progress, ending: Ending): Promise<void> {
  const { runner } = deps
  const setting = settingOf(progress)
  const telling = tell(ending, setting)
  const sentence = plain(telling)
  progress.outputs.end(ending, '')
  if (ending.job?.prLink) deps.log(`Pull request: ${ending.job.prLink}`)
  const level = levelOf(ending, progress)
  if (level === undefined) deps.log(sentence)
  else runner.annotate(level, sentence)
  if (ending.job?.unusableLink === true) {
    runner.annotate(
      'warning',
      'The service sent an unusable link to the pull request: look at the job in the dashboard.',
    )
  }
  runner.summary(summaryOf(ending, setting))
  const url =
    progress.session === undefined ? '' : await tellThread(deps, progress.session, progress, ending, setting)
  if (url !== '') progress.outputs.end(ending, url)
  runner.saveState('phase', 'done')
}

export function settingOf({ inputs, denied }: Progress): Setting {
  const command = inputs?.command ?? '/docs'
  return { command, timeoutMs: inputs?.timeoutMs ?? 0, denied, needs: inputs?.minPermission ?? 'write' }
}

function levelOf(ending: Ending, { inputs }: Progress): 'error' | 'warning' | undefined {
  if (isRed(ending.outcome, inputs?.onTimeout)) return 'error'
  const worthAWarning = WARNED.has(ending.outcome) || WARNED.has(ending.reason)
  return worthAWarning ? 'warning' : undefined
}
const WARNED: ReadonlySet<string> = new Set(['archived', 'timed-out', 'missing-secret'])

/** @returns the URL of the comment that carries the result, '' if there is none */
async function tellThread(
  deps: Deps,
  session: Session,
  progress: Progress,
  ending: Ending,
  setting: Setting,
): Promise<string> {
  const url = await speak(session, progress, ending, setting)
  await session.thread.conclude(reactionOf(ending))
  await point(deps, session, ending, setting.command)
  return url
}

/** The way back to the job, on its own pull request (contract 5.5). */
async function point(deps: Deps, session: Session, { job }: Ending, command: string): Promise<void> {
  const { scope, request, environment, inputs } = session
  const pull = pullRequestOf(job?.prLink ?? '', environment.serverUrl)
  if (scope === undefined || job === undefined || pull === undefined || inputs.comment === 'off') return
  const marker = { ...request, job: job.id, status: job.status, pr: job.prLink, until: 0, messaged: 0 }
  await pointTo({ ...session, now: deps.now }, pull, { scope, marker, command })
}

async function speak(
  session: Session,
  progress: Progress,
  ending: Ending,
  setting: Setting,
): Promise<string> {
  const { thread, trigger, runUrl } = session
  const { job } = ending
  if (ending.outcome === 'skipped') {
    const talk = TALK[ending.reason as SkipReason]
    if (talk === 'refusal') return await thread.refuse(refusal(setting))
    if (talk === 'silent' || trigger.comment === undefined) return ''
    return await thread.report({ state: 'answer' }, answerOf(ending, setting, runUrl))
  }
  return await thread.report(
    {
      state: stateOf(ending),
      job: job?.id ?? progress.targetJob,
      status: job?.status ?? '',
      pr: job?.prLink ?? '',
      messaged: progress.messagedAt,
    },
    resultComment(ending, setting, runUrl),
  )
}

/** What a skip says in the thread: nothing, an answer to the comment that asked, or the one refusal. */
const TALK: Readonly<Record<SkipReason, 'silent' | 'answer' | 'refusal'>> = {
  'not-a-command': 'silent',
  'not-a-new-comment': 'silent',
  bot: 'silent',
  'agent-pull-request': 'silent',
  'permission-denied': 'refusal',
  'missing-secret': 'silent',
  'pull-request-open': 'answer',
  'job-active': 'answer',
  'dry-run': 'answer',
  help: 'answer',
  status: 'answer',
}

function answerOf(ending: Ending, setting: Setting, runUrl: string): string {
  if (ending.reason === 'help') return usage(setting.command, setting.needs)
  if (ending.reason === 'status') return statusAnswer(ending, setting.command)
  return resultComment(ending, setting, runUrl)
}

/** What the thread must remember of the ending: whether a re-run or a sweep still has something to do (5.2, 8.1). */
function stateOf({ outcome, reason, job }: Ending): MarkerState {
  if (outcome === 'started') return 'open'
  if (reason === 'creation-uncertain') return 'uncertain'
  if (reason === 'job-not-found' && job !== undefined) return 'reported'
  if (outcome === 'cancelled' || outcome === 'error' || outcome === 'timed-out') {
    return job === undefined ? 'unsent' : 'parted'
  }
  return 'reported'
}
