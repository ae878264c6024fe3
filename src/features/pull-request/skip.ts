import { withoutInvisible } from '../../base/invisible.ts'
import { redact } from '../../base/redact.ts'
import { joined, oneLine } from '../../base/text.ts'
import type { PromptSource } from '../../prompt/task.ts'
import { ending } from '../../record/outcome.ts'
import type { RunEnding } from '../../record/report.ts'
import { close } from '../../record/states.ts'
import { writeComment } from '../../thread/comment.ts'
import { noteHead } from '../../thread/pull-changes.ts'
import type { Run } from '../../thread/run.ts'
import type { Session } from '../../thread/session.ts'
import { skipComment, skipSentence } from '../../words/comments.ts'
import { CAUSES, skipsPullRequests } from '../../words/notes.ts'

/** Characters of a reason: one sentence, in a comment, a record and a commit status. */
const MAX_WHY = 120

/**
 * `/docs skip`: a person says that the changes of a pull request need no documentation. The thread knows it until somebody asks
 * again; the agent is asked nothing.
 */
export async function skipDocs(
  session: Session,
  run: Run,
  task: PromptSource,
  reason: string,
): Promise<RunEnding> {
  const { inputs, trigger } = task
  const { thread } = run
  if (trigger.subject?.isPullRequest !== true || thread === undefined)
    return ending('skipped', 'help', skipsPullRequests(inputs.command))
  if (inputs.dryRun) return ending('skipped', 'dry-run', CAUSES.drySkip)
  const why = oneLine(withoutInvisible(redact(reason, session.deps.secrets)), MAX_WHY)
  if (inputs.commitStatus !== '') {
    const pull = await session.warnings.warnIfRefused('head', () =>
      session.github.pullRequest({ ...session.github.repository, number: thread.number }),
    )
    // The skip holds for the status also where the head cannot be read.
    run.updateIdentity({ commitStatus: { name: inputs.commitStatus, sha: '' } })
    // A skip is about whatever the head changes, so it needs no digest.
    await noteHead(session, run, inputs.commitStatus, { pull, digest: '' })
  }
  const end = ending('skipped', 'docs-skipped', skipSentence({ requestedBy: run.identity.requestedBy, why }))
  // The status leads to the comment, so that comes first.
  run.setState(close(run.in('idle'), end, why))
  await writeComment(session, run, { kind: 'result', words: skipWords(session, run.identity, why) })
  // What GitHub did not answer is written later.
  if (run.commentUrl !== '' || run.lastWrite === 'unanswered') return end
  return { ...end, message: joined(' ', end.message, CAUSES.skipForgotten) }
}

/** The comment of a skip. */
export const skipWords = ({ warnings }: Session, identity: Run['identity'], why: string): string =>
  joined(
    '\n',
    skipComment(
      { requestedBy: identity.requestedBy, why },
      identity.command,
      identity.commitStatus.name !== '',
    ),
    warnings.omitted,
  )
