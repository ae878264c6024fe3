import { withoutInvisible } from '../invisible.ts'
import { skipComment, skipSentence } from '../messages/comments.ts'
import { CAUSES, skipsPullRequests } from '../messages/notes.ts'
import type { RunEnd } from '../messages/phrases.ts'
import type { PromptSource } from '../prompt/prompt.ts'
import { redact } from '../redact.ts'
import { EMPTY_MEMORY } from '../request/memory.ts'
import { ending } from '../request/outcome.ts'
import { joined, oneLine } from '../text.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { aboutHead } from './code.ts'

/** Characters of a reason: one sentence, in a comment, a record and a commit status. */
const MAX_WHY = 120

/**
 * `/docs skip`: a person says that the changes of a pull request need no documentation. The thread knows it until somebody asks
 * again; the agent is asked nothing.
 */
export async function skipDocs(
  session: Session,
  request: Request,
  task: PromptSource,
  reason: string,
): Promise<RunEnd> {
  const { inputs, trigger } = task
  const { thread, identity } = request
  if (trigger.subject?.isPullRequest !== true || thread === undefined)
    return { ending: ending('skipped', 'help', skipsPullRequests(inputs.command)) }
  if (inputs.dryRun) return { ending: ending('skipped', 'dry-run') }
  const why = oneLine(withoutInvisible(redact(reason, session.deps.secrets)), MAX_WHY)
  const { requestedBy } = identity
  const said = { requestedBy, why }
  const memory = request.memory ?? EMPTY_MEMORY
  if (inputs.commitStatus !== '') {
    const pull = await session.warnings.warnIfRefused('head', () =>
      session.github.pullRequest({ ...session.github.repository, number: thread.number }),
    )
    // It is about whatever the pull request changes.
    const code = { pull, digest: '' }
    request.updateIdentity(await aboutHead(session, identity, inputs.commitStatus, code, memory.latest.job))
  }
  request.memory = { ...memory, latest: { ...memory.latest, skip: { ...said, url: '' } } }
  const end = ending('skipped', 'docs-skipped', skipSentence(said))
  // The status leads to the comment, so that comes first.
  request.state = { state: 'notSent', ending: end, settled: false }
  const words = skipComment(said, inputs.command, inputs.commitStatus !== '')
  await request.writeComment(session, 'result', joined('\n', words, session.warnings.leftOut))
  if (request.commentUrl !== '') return { ending: end }
  return { ending: { ...end, message: joined(' ', end.message, CAUSES.skipForgotten) } }
}
