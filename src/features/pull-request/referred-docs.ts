import { withoutComments } from '../../base/invisible.ts'
import { fullName } from '../../base/link.ts'
import type { PullRequest } from '../../event/objects.ts'
import type { PromptSource } from '../../prompt/task.ts'
import { fold } from '../../record/fold.ts'
import type { ReferredDocs } from '../../record/record.ts'
import type { Session } from '../../thread/session.ts'
import { Thread } from '../../thread/thread.ts'

// A person brings changes to another branch, and says where they come from: the docs of the first pull request are what readers
// and agent want to see.

/** A line of a body that says so, in words that people and their tools use. */
const SAYS_SO = /\bback-?ports?\b|\bbackported\b|\bcherry[- ]?pick(?:ed|s)?\b|\bforward-?port/i
/** No more references are followed. */
const MOST = 3

/** Numbers that the title, or a line of the body about a backport, refers to in this repository. */
function referredIn(
  { runner: { repository, serverUrl } }: Pick<Session, 'runner'>,
  { number, title, body }: Pick<PullRequest, 'number' | 'title' | 'body'>,
): readonly number[] {
  const name = fullName(repository).replaceAll('.', String.raw`\.`)
  const server = serverUrl.replaceAll('.', String.raw`\.`)
  const reference = new RegExp(
    String.raw`(?:(?<![\w/#&-])(?:${name})?#|${server}/${name}/(?:pull|issues)/)(\d{1,9})\b`,
    'gi',
  )
  const lines = withoutComments(body)
    .split('\n')
    .filter((line) => SAYS_SO.test(line))
  const found = [title, ...lines].flatMap((line) => [...line.matchAll(reference)])
  const numbers = new Set(found.map(([, digits]) => Number(digits)))
  numbers.delete(number)
  return [...numbers].slice(0, MOST)
}

/**
 * The docs of the pull request to which this one refers, as its thread knows them. What GitHub does not show is no reason to wait.
 * @param merged by the push @returns undefined where there are none
 */
export async function readReferredDocs(
  session: Session,
  { inputs, trigger: { subject } }: PromptSource,
  merged: readonly PullRequest[] = [],
): Promise<ReferredDocs | undefined> {
  if (!inputs.context) return undefined
  const pulls = subject?.isPullRequest ? [subject] : merged
  const numbers = new Set(pulls.flatMap((pull) => referredIn(session, pull)))
  for (const number of [...numbers].slice(0, MOST)) {
    const thread = new Thread(number)
    await thread.read(session).catch(() => undefined)
    const { prLink: link = '' } = fold(thread.log).job ?? {}
    if (link !== '') return { number, link }
  }
  return undefined
}
