import type { Ending } from '../core/ending.ts'
import { isRed, type SkipReason } from '../core/outcome.ts'
import type { Deps } from '../runner/deps.ts'
import { refusal, resultComment, statusAnswer, usage } from '../thread/bodies.ts'
import { reactionOf, reactionStanding } from '../thread/reactions.ts'
import { reportEnding } from '../thread/report.ts'
import type { Told } from '../thread/thread.ts'
import { plain, type Setting, tell } from '../thread/words.ts'
import { leaveState } from './post-state.ts'
import type { Progress } from './progress.ts'
import type { Session } from './session.ts'
import { summaryOf } from './summary.ts'

/** Tells how the run ended, everywhere that people look: outputs, log, annotation, summary and thread. */
export async function finish(deps: Deps, progress: Progress, ending: Ending): Promise<void> {
  const { runner } = deps
  const { session } = progress
  const setting = settingOf(progress)
  progress.outputs.end(ending, '')
  announce(deps, ending, setting, levelOf(ending, progress))
  runner.summary(summaryOf(ending, setting))
  if (session !== undefined) {
    const skipped = ending.outcome === 'skipped'
    const url = await (skipped
      ? answer(session, ending, setting)
      : reportEnding(session, ending, progress, setting))
    if (url !== '') progress.outputs.end(ending, url)
  }
  leaveState(runner, { phase: 'done', key: '' })
}

function settingOf({ inputs, denied }: Progress): Setting {
  const command = inputs?.command ?? '/docs'
  return { command, timeoutMs: inputs?.timeoutMs ?? 0, denied, needs: inputs?.minPermission ?? 'write' }
}

type Level = 'error' | 'warning' | undefined

function levelOf(ending: Ending, { inputs }: Progress): Level {
  if (isRed(ending.outcome, inputs?.onTimeout)) return 'error'
  return WARNED.has(ending.outcome) || WARNED.has(ending.reason) ? 'warning' : undefined
}
const WARNED: ReadonlySet<string> = new Set(['archived', 'timed-out', 'missing-secret'])

function announce({ runner, log }: Deps, ending: Ending, setting: Setting, level: Level): void {
  const sentence = plain(tell(ending, setting))
  if (ending.job?.prLink) log(`Pull request: ${ending.job.prLink}`)
  if (level === undefined) log(sentence)
  else runner.annotate(level, sentence)
  if (ending.job?.unusableLink === true) {
    const look = 'look at the job in the dashboard'
    runner.annotate('warning', `The service sent an unusable link to the pull request: ${look}.`)
  }
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

async function answer(session: Session, ending: Ending, setting: Setting): Promise<string> {
  const { thread, trigger } = session
  const talk = TALK[ending.reason as SkipReason]
  // A run that is refused has not looked at what earlier attempts left: they may have been let in.
  if (talk === 'refusal' && session.environment.runAttempt > 1) thread.reactions.expect()
  const { url, stands }: Told =
    talk === 'refusal'
      ? { url: await thread.refuse(refusal(setting)) }
      : talk === 'answer' && trigger.comment !== undefined
        ? await thread.report({ state: 'answer' }, answerOf(ending, setting, session.runUrl))
        : { url: '' }
  await thread.reactions.conclude(stands === undefined ? reactionOf(ending) : reactionStanding(stands))
  return url
}

function answerOf(ending: Ending, setting: Setting, runUrl: string): string {
  if (ending.reason === 'help') return usage(setting.command, setting.needs)
  if (ending.reason === 'status') return statusAnswer(ending, setting.command)
  return resultComment(ending, setting, runUrl)
}
