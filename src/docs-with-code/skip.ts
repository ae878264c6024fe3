import { withoutInvisible } from '../invisible.ts'
import { skipComment, skipSentence } from '../messages/comments.ts'
import { type Skip, skipVerdict } from '../messages/commit-verdict.ts'
import { CAUSES, skipsPullRequests } from '../messages/notes.ts'
import type { PromptSource } from '../prompt/prompt.ts'
import { redact } from '../redact.ts'
import { ending } from '../request/outcome.ts'
import { joined, oneLine } from '../text.ts'
import { type Answer, answer } from '../thread/answer.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { claimHead, pullRequestOfThread, setStatus } from './commit-status.ts'
import { decisionsOf } from './verdict.ts'

/** Characters of a reason: one sentence, in a comment, a record and a commit status. */
const MAX_WHY = 200

/**
 * `/docs skip`: a person says that the changes of a pull request need no documentation (contract 3.2). One comment of the
 * thread remembers it, and the commit status says it; the agent is asked nothing.
 */
export async function skipDocs(
  session: Session,
  request: Request,
  asked: PromptSource,
  reason: string,
): Promise<Answer> {
  const { deps } = session
  const { inputs, trigger } = asked
  const { thread } = request
  if (trigger.subject?.isPullRequest !== true || thread === undefined)
    return answer(ending('skipped', 'help', skipsPullRequests(inputs.command)))
  if (inputs.dryRun) return answer(ending('skipped', 'dry-run'))
  const pull = await pullRequestOfThread(session, request, asked)
  if (pull !== undefined) claimHead(session, request, inputs.commitStatus, pull)
  const finished = await finishSkip(session, request)
  if (finished !== undefined) return finished
  const { identity } = request
  const why = oneLine(withoutInvisible(redact(reason, deps.secrets)), MAX_WHY)
  const said = { requestedBy: identity.requestedBy, why }
  const hasStatus = inputs.commitStatus !== ''
  const words = joined('\n', skipComment(said, inputs.command, hasStatus), session.warnings.leftOut)
  const url = await thread.skip(session, identity, why, words)
  // The status opens the way for this head, also if the thread does not take the comment.
  const isSet = await setStatus(session, request, skipVerdict(said, url))
  return answerOf(said, url, isSet)
}

/** What is left of the skip of this very request, if the thread has it already. */
export async function finishSkip(session: Session, request: Request): Promise<Answer | undefined> {
  const { identity, history } = request
  const known = history?.skips.find(({ record }) => record.key === identity.key)
  if (known === undefined) return undefined
  const { record, url } = known
  if (identity.commitStatus.name === '') request.amend({ commitStatus: record.commitStatus })
  // A re-run takes back nothing that somebody asked since (contract 5.2).
  const isInForce = decisionsOf(history).skip === known
  const isSet = !isInForce || (await setStatus(session, request, skipVerdict(record, url)))
  return answerOf(record, url, isSet)
}

/** Says also what GitHub did not take, because no later process makes up for it. @param url of the comment; '' for none */
function answerOf(said: Skip, url: string, isSet: boolean): Answer {
  const lacks = [url === '' && CAUSES.skipForgotten, !isSet && CAUSES.skipUnset].filter(
    (one) => one !== false,
  )
  return answer(ending('skipped', 'docs-skipped', [skipSentence(said), ...lacks].join(' ')), { url })
}
