import { ActionError, isRefused } from '../base/errors.ts'
import { losesLines, withoutComments, withoutInvisible } from '../base/invisible.ts'
import { codeSpan, count, joined } from '../base/text.ts'
import { type Command, isAnswered, isWordAlone, parseCommand, TURNED_LINES } from '../event/command.ts'
import { isSameAccount } from '../event/gate.ts'
import { describeCommentedLines } from '../event/objects.ts'
import { separateQuotations } from '../event/quotations.ts'
import type { Comment, Trigger } from '../event/trigger.ts'
import type { ReviewComment } from '../github/answers.ts'
import { explainRefusal } from '../words/explain.ts'
import { SIDE_TASKS } from '../words/side-tasks.ts'
import { BUDGETS } from './budgets.ts'
import { PAST_BUDGET } from './context.ts'
import { cutToBudget, type Section } from './parts.ts'
import type { RenderDeps } from './rendered.ts'
import type { PromptSource, ReviewOfLine } from './task.ts'

// A review is one request, whichever of its events comes first: that of its text, if it begins with the command, else that of its
// first line that does. The others ask nothing.

/** GitHub writes the comments of a review after the review, and all times in whole seconds. */
const SUBMITTING_MS = 1000
const isUnedited =
  (submittedAt: number) =>
  ({ updatedAt }: ReviewComment): boolean =>
    updatedAt <= submittedAt + SUBMITTING_MS

/**
 * Reads the review that a line comment with the command belongs to.
 * @param word the command word @returns undefined where another event of the review asks
 * @throws {GitHubError} where GitHub does not answer @throws {ActionError} where it refuses
 */
export async function readReviewOfLine(
  { github }: RenderDeps,
  comment: Comment,
  pull: number,
  word: string,
): Promise<ReviewOfLine | undefined> {
  const [review, comments] = await Promise.all([
    github.review(pull, comment.reviewId),
    github.reviewComments(pull, comment.reviewId),
  ]).catch(explainWhy('They decide which of its comments asks.'))
  if (isSameAccount(comment.author, review.author) && parseCommand(review.body, word) !== undefined)
    return undefined
  const isFirst = !comments
    .filter((other) => isSameAccount(comment.author, other.author) && isUnedited(review.submittedAt)(other))
    .some(({ id, body }) => id < comment.id && parseCommand(body, word) !== undefined)
  return isFirst ? { submittedAt: review.submittedAt, comments } : undefined
}

const explainWhy =
  (why: string) =>
  (cause: unknown): never => {
    if (!isRefused(cause)) throw cause
    const [what, then] = explainRefusal(cause, ...SIDE_TASKS.review)
    throw new ActionError('bad-input', `${what} ${why} ${then}`, { cause })
  }

/** The line comments that go with a request. */
interface ReviewLines {
  /** Numbered, with notes about what is left out: part of the request. '' for nothing. */
  readonly texts: string
  /** Where each of them stands, under its number: for the fence, since others wrote the lines. */
  readonly places: readonly Section[]
  /** How many `texts` holds. */
  readonly comments: number
  /** The Markdown of what they quote. */
  readonly quotations: readonly string[]
}

const NO_REVIEW_LINES: ReviewLines = {
  texts: '',
  places: [],
  comments: 0,
  quotations: [],
}
/** The end of a hunk is where its comment stands; GitHub shows a few lines as well, or all that were selected. */
const HUNK_LINES = 8

/**
 * The author's own line comments of the review that asks, but the one that is the command. Where they cannot be read, the request
 * goes without them, unless it is in them alone.
 * @throws {GitHubError} where GitHub does not answer
 * @throws {ActionError} where it refuses
 */
export async function readReviewLines(
  deps: RenderDeps,
  { inputs, trigger, command, review }: PromptSource,
): Promise<ReviewLines> {
  const { comment, subject } = trigger
  if (command.kind === 'input' || comment === undefined || subject === undefined) return NO_REVIEW_LINES
  if (!hasLines(comment, review)) return NO_REVIEW_LINES
  const { warnings } = deps
  const reading = listedLines(deps, trigger, subject.number, review)
  const ofReview = isWordAlone(command)
    ? await reading.catch(explainWhy('The review asks for nothing else.'))
    : await warnings.warnOnFailure('review', () => reading)
  if (ofReview === undefined) return NO_REVIEW_LINES
  const own = ofReview.filter((line) => isSameAccount(comment.author, line.author))
  const unedited = own.filter(isUnedited(review?.submittedAt ?? comment.submittedAt))
  const asking = unedited.filter(({ body }) => !isAnsweredLine(body, inputs.command))
  leaveOutCommands(warnings, unedited.length - asking.length)
  // As they are written: GitHub's rendering shows, beside a suggested change, what the pull request's author wrote.
  const quotations: string[] = []
  const texts = asking.map(({ body }, at) => {
    const own = ownText(body, inputs.command, command.quotations.length + quotations.length)
    quotations.push(...own.quotations)
    warnings.omit(...own.uncounted)
    const [first = '', ...rest] = own.text.trimEnd().split('\n')
    return [`${at + 1}. ${first}`, ...rest.map((line) => (line === '' ? '' : `   ${line}`))].join('\n')
  })
  const places = asking.map(({ path, lines, hunk }, at) => {
    const selected = lines === undefined ? 0 : lines.last - lines.first + 1
    const shown = hunk.split('\n').slice(-Math.max(HUNK_LINES, selected)).join('\n')
    const heading = `Comment ${at + 1} is about ${codeSpan(path)}${describeCommentedLines(lines)}:`
    return { heading, text: shown }
  })
  const whole = texts.join('\n\n')
  const asked = cutToBudget(whole, BUDGETS.reviewRequest)
  // The line comments are the request, which goes out whatever the thread has.
  if (asked !== withoutInvisible(whole)) warnings.omit(PAST_BUDGET)
  if (unedited.length < own.length) warnings.omit({ kind: 'edited-text', of: 'line comment' })
  return {
    texts: joined(
      '\n\n',
      asked,
      omissionLine(ofReview.length - own.length, 'by other people'),
      omissionLine(own.length - unedited.length, 'edited after the review was submitted'),
      omissionLine(unedited.length - asking.length, 'with a command that asks you nothing'),
    ),
    places,
    comments: asking.length,
    quotations,
  }
}

/** A comment in the conversation has none, and a line comment has those of the review that it asks for. */
const hasLines = ({ kind }: Comment, review: ReviewOfLine | undefined): boolean =>
  kind === 'submitted-review' || (kind === 'review' && review !== undefined)

/** Notes that the other commands of a review whose command only answers do not count. */
export async function noteLineCommands(
  { github, warnings }: RenderDeps,
  { inputs, trigger, review }: PromptSource,
): Promise<void> {
  const { comment, subject } = trigger
  if (comment === undefined || subject === undefined || !hasLines(comment, review)) return
  const read = () => github.reviewComments(subject.number, comment.id)
  const lines = review?.comments ?? (await warnings.warnOnFailure('review', read)) ?? []
  const others = lines
    .filter((line) => isSameAccount(comment.author, line.author) && line.id !== comment.id)
    .filter(isUnedited(review?.submittedAt ?? comment.submittedAt))
  const commands = others.filter(({ body }) => parseCommand(body, inputs.command) !== undefined)
  leaveOutCommands(warnings, commands.length)
}

function leaveOutCommands(warnings: RenderDeps['warnings'], count: number): void {
  if (count > 0) warnings.omit({ kind: 'line-commands', count })
}

/** A line such as `/docs skip` is for the action, and says nothing to the agent. */
function isAnsweredLine(body: string, word: string): boolean {
  const command = parseCommand(body, word)
  return command !== undefined && isAnswered(command)
}

/** All that belong to the request, with their lines, which GitHub tells in another list: none is read for a line alone. */
async function listedLines(
  { github }: RenderDeps,
  { comment }: Trigger,
  pull: number,
  review: ReviewOfLine | undefined,
): Promise<readonly ReviewComment[]> {
  const all = review?.comments ?? (await github.reviewComments(pull, comment?.id ?? 0))
  const others = review === undefined ? all : all.filter(({ id }) => id !== comment?.id)
  return await github.withLines(pull, others)
}

/** Without the command word of a line that asks like the whole review. */
function ownText(body: string, word: string, quotedBefore: number) {
  const { text, quotations } = separateQuotations(body, { quotedBefore })
  const shown = withoutComments(text)
  const command = parseCommand(shown, word)
  const uncounted = losesLines(text, shown) ? [TURNED_LINES] : []
  return { text: command?.kind === 'prompt' ? command.prompt : shown, quotations, uncounted }
}

const omissionLine = (comments: number, why: string): string =>
  comments === 0 ? '' : `[Left out: ${count(comments, 'line comment')} ${why}.]`

const ASKED_BY_COMMENTS = 'Make the changes that these comments of my review ask for.'
const WITH_COMMENTS = 'My review has these comments, too.'
const PLACES = 'The reference material below has the place of each under its number.'

/** The request of the review, its line comments in it. */
export function withReviewLines(command: Command, { texts, comments, quotations }: ReviewLines): Command {
  if (command.kind === 'input') return command
  const whole = { ...command, quotations: [...command.quotations, ...quotations] }
  if (isWordAlone(command) && comments > 0) {
    const prompt = `${ASKED_BY_COMMENTS} ${PLACES}\n\n${texts}`
    return { ...whole, kind: 'prompt', prompt, fresh: command.fresh }
  }
  if (whole.kind !== 'prompt' || texts === '') return whole
  const heading = comments === 0 ? '' : `${WITH_COMMENTS} ${PLACES}`
  return { ...whole, prompt: joined('\n\n', whole.prompt, heading, texts) }
}
