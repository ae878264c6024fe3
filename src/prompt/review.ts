import { ActionError, isRefused } from '../errors.ts'
import { describeCommentedLines } from '../event/objects.ts'
import type { Trigger } from '../event/trigger.ts'
import type { ReviewComment } from '../github/answers.ts'
import { withoutComments } from '../invisible.ts'
import { explainGitHub } from '../messages/explain.ts'
import { reviewTask } from '../messages/side-tasks.ts'
import { count, joined, oneLine } from '../text.ts'
import { type Command, isWordAlone } from './command.ts'
import { withinBudget } from './context.ts'
import type { RenderDeps } from './rendered-text.ts'

/** The line comments of a submitted review (contract 3.12). */
interface ReviewLines {
  /** Numbered, with notes about what is left out: part of the request. '' for nothing. */
  readonly texts: string
  /** Where each of them stands, under its number: for the fence, since others wrote the lines. */
  readonly places: string
  /** How many `texts` holds. */
  readonly comments: number
}

export const NO_REVIEW_LINES: ReviewLines = { texts: '', places: '', comments: 0 }

/** The end of a hunk is where its comment stands; GitHub shows a few lines as well, or all that were selected. */
const HUNK_LINES = 8

/** GitHub writes the comments of a review after the review, and all times in whole seconds. */
const SUBMITTING_MS = 1000

/**
 * The author's own line comments of the review that the event is about. Where they cannot be read, the request goes
 * without them, unless it is in them alone.
 * @throws {ForgeError} where GitHub does not answer
 * @throws {ActionError} where it refuses
 */
export async function readReviewLines(
  { forge, warnings }: RenderDeps,
  { comment, subject }: Trigger,
  command: Command,
): Promise<ReviewLines> {
  if (comment?.kind !== 'submitted-review' || subject === undefined) return NO_REVIEW_LINES
  const reading = forge.commentsOfReview(subject.number, comment.id)
  const ofReview = isWordAlone(command)
    ? await reading.catch(notWithoutLines)
    : await warnings.warnOnFailure(reviewTask, () => reading)
  if (ofReview === undefined) return NO_REVIEW_LINES
  const own = ofReview.filter(({ author }) => isSame(author?.login, comment.author?.login))
  const unedited = own.filter(({ updatedAt }) => updatedAt <= comment.submittedAt + SUBMITTING_MS)
  // As they are written: GitHub's rendering shows, beside a suggested change, what the pull request's author wrote.
  const texts = unedited.map(({ body }) => withoutComments(body))
  return {
    texts: joined(
      '\n\n',
      withinBudget(texts.map(numberedText)),
      leftOut(ofReview.length - own.length, 'by other people'),
      leftOut(own.length - unedited.length, 'edited after the review was submitted'),
    ),
    places: withinBudget(unedited.map(placeOf)),
    comments: unedited.length,
  }
}

function notWithoutLines(cause: unknown): never {
  if (!isRefused(cause)) throw cause
  const sentence = explainGitHub(cause, 'read the line comments of the review', 'pull-requests: read')
  throw new ActionError('bad-input', `${sentence} The review asks for nothing else.`, { cause })
}

/** Logins have no letter case. */
const isSame = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && a.toLowerCase() === b?.toLowerCase()

const leftOut = (comments: number, why: string): string =>
  comments === 0 ? '' : `[Left out: ${count(comments, 'line comment')} ${why}.]`

const numberedText = (text: string, at: number): string => {
  const [first = '', ...rest] = text.split('\n')
  return [`${at + 1}. ${first}`, ...rest.map((line) => (line === '' ? '' : `   ${line}`))].join('\n')
}

function placeOf({ path, lines, hunk }: ReviewComment, at: number): string {
  const selected = lines === undefined ? 0 : lines.last - lines.first + 1
  const shown = hunk.split('\n').slice(-Math.max(HUNK_LINES, selected)).join('\n')
  return `Comment ${at + 1} is about ${oneLine(path)}${describeCommentedLines(lines)}:\n\n${shown}`
}

const ASKED_BY_COMMENTS = 'Make the changes that these comments of my review ask for.'
const WITH_COMMENTS = 'My review has these comments, too.'
const PLACES = 'The reference material below has the place of each under its number.'

/** The request of the review, its line comments in it. */
export function withReviewLines(command: Command, { texts, comments }: ReviewLines): Command {
  if (isWordAlone(command) && comments > 0) {
    return { kind: 'prompt', prompt: `${ASKED_BY_COMMENTS} ${PLACES}\n\n${texts}`, fresh: command.fresh }
  }
  if (command.kind !== 'prompt' || texts === '') return command
  const heading = comments === 0 ? '' : `${WITH_COMMENTS} ${PLACES}`
  return { ...command, prompt: joined('\n\n', command.prompt, heading, texts) }
}
