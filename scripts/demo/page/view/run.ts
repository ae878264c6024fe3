import type { Run } from '../../stage.ts'
import { runKey, threadKey } from './links.ts'
import type { RunView } from './state.ts'
import type { Context } from './thread.ts'

export function runView(run: Run, context: Context): RunView {
  const { id, title, event, startedAt, endedAt, log, result, thread } = run
  return {
    key: runKey(context.index, id),
    title,
    event,
    state: result === undefined ? 'running' : result.exitCode === 0 ? 'success' : 'failure',
    outcome: outcomeOf(run),
    startedAt: new Date(startedAt).toISOString(),
    seconds: endedAt === undefined ? null : Math.round((endedAt - startedAt) / 1000),
    thread: thread && {
      key: threadKey(context.index, thread.repository, thread.number),
      name: `${thread.repository}#${thread.number}`,
    },
    log: [...log],
    summary: context.render(result?.summary ?? '', context.story.emulator.settings.repository, 'summary'),
  }
}

function outcomeOf({ result }: Run): string {
  const { outcome = '', reason = '' } = result?.outputs ?? {}
  return [outcome, reason].filter(Boolean).join(', ')
}
