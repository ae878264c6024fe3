// Off unless `context` is on, and a command in a comment asks.

import { GitHubError } from '../../base/errors.ts'
import { minuteOf } from '../../base/text.ts'
import { parseCommand } from '../../event/command.ts'
import { type CommentChannel, endOfParagraph, hasWords } from '../../event/mail.ts'
import type { Comment } from '../../event/trigger.ts'
import type { Discussion } from '../../github/discussion.ts'
import { CONTEXT_MS } from '../../github/retry-budget.ts'
import { BUDGETS } from '../../prompt/budgets.ts'
import type { VisibleText } from '../../prompt/html-to-text.ts'
import { cutToBudget, type Part } from '../../prompt/parts.ts'
import { visibleTextOf } from '../../prompt/rendered.ts'
import type { Task } from '../../prompt/task.ts'
import type { ThreadRecords } from '../../record/log.ts'
import type { SentRemarks } from '../../record/record.ts'
import { carriesRecord } from '../../record/signed-record.ts'
import { jobOf } from '../../record/states.ts'
import { ofBotsAndWriter } from '../../thread/read-records.ts'
import type { Session } from '../../thread/session.ts'
import type { Thread } from '../../thread/thread.ts'
import { type Judged, judgeRemarks } from './judge.ts'
import { commandAt, isOfRequest, type Remark, remarksIn } from './remarks.ts'
import {
  type Asking,
  type ConversationOmission,
  describeConversation,
  describeOmissions,
  type Shown,
} from './words.ts'

/** A line that says who wrote it, and when. */
const HEADER_LENGTH = 100

/** What of the conversation goes to a job. */
interface ConversationParts {
  readonly parts: readonly Part[]
  /** For the record; undefined for nothing. */
  readonly sent: SentRemarks | undefined
}

/** What stands above a command in its thread, for the agent. @param has what the job has already; none for a new job */
export type Conversation = (has: readonly SentRemarks[]) => ConversationParts

const NO_CONVERSATION: Conversation = () => ({ parts: [], sent: undefined })

/** What the job has of the conversation. */
export const sentTo = (records: ThreadRecords | undefined, jobId: string): readonly SentRemarks[] =>
  [records?.current, ...(records?.replaced ?? []), ...(records?.others ?? [])].flatMap((one) =>
    one !== undefined && jobOf(one.record)?.id === jobId ? (one.record.conversation ?? []) : [],
  )

/** It went, and had the text of now. */
const isSent =
  (has: readonly SentRemarks[]) =>
  ({ id, changedAt }: Remark): boolean =>
    has.some(({ ids, at }) => ids.includes(id) && changedAt <= at)

type Reading = Promise<Discussion | undefined>

/** Begins to read reviews and lines, beside the thread. */
export function beginConversation({ github }: Session, { inputs, trigger, command }: Task): Reading {
  const { subject, comment, isPublic } = trigger
  const isOn = inputs.context && (isPublic || inputs.sendsPrivate)
  const hasReviews = subject?.isPullRequest === true && comment !== undefined && command.kind !== 'input'
  if (!isOn || !hasReviews) return Promise.resolve(NO_DISCUSSION)
  return github.discussion(subject.number).catch(() => undefined)
}

/** Reads what goes along with a command. What GitHub does not show is left out, with a note, and nothing waits for it. */
export async function readConversation(
  session: Session,
  thread: Thread | undefined,
  { inputs, trigger, command }: Task,
  reading: Reading | undefined,
): Promise<Conversation> {
  const { comment } = trigger
  if (!inputs.context || command.kind === 'input' || comment === undefined || !thread?.isRead)
    return NO_CONVERSATION
  const { sendsPrivate, minPermission } = inputs
  const asked = { comment, minPermission, asking: comment.author?.login ?? '', command: inputs.command }
  const own = await ownComments(session, thread)
  const withNone = (remarks: readonly Remark[], omission: ConversationOmission) =>
    withRemarks(
      remarks.map((remark) => ({ remark, omission })),
      new Map(),
      NO_DISCUSSION,
      asked,
    )
  if (!trigger.isPublic && !sendsPrivate)
    return withNone(remarksIn(thread.comments, NO_DISCUSSION, comment, own), 'private')
  const discussion = await (reading ?? NO_DISCUSSION)
  const remarks = remarksIn(thread.comments, discussion ?? NO_DISCUSSION, comment, own)
  const judged = await judgeRemarks(remarks, {
    author: comment.author,
    commandAt: commandAt(comment),
    needs: minPermission,
    permissionOf: (login) => session.github.permissionOf(login, CONTEXT_MS),
  })
  const texts = await readTexts(session, thread, judged)
  return texts === undefined ? withNone(remarks, 'all') : withRemarks(judged, texts, discussion, asked)
}

interface Candidate {
  readonly remark: Remark
  /** Why it does not go, whatever room there is. */
  readonly omission: ConversationOmission | undefined
}

/** @param discussion undefined where GitHub does not show it */
function withRemarks(
  candidates: readonly Candidate[],
  texts: Texts,
  discussion: Discussion | undefined,
  asked: Asking & { readonly comment: Comment },
): Conversation {
  return (has) => {
    const lacking = candidates.filter(({ remark }) => !isSent(has)(remark))
    const from = Math.max(0, ...has.map((one) => one.from))
    const { shown, omissions, sent } = choose(lacking, { texts, command: asked.command, from })
    if (discussion === undefined) omissions.set('reviews', 1)
    else {
      add(omissions, 'room', discussion.older)
      if (discussion.hasOlderReviews) omissions.set('older-reviews', 1)
    }
    const oldest = Math.min(...sent.map(({ createdAt }) => createdAt))
    const began = (omissions.get('room') ?? 0) > 0 && sent.length > 0 ? oldest : 0
    const parts = partsOf(shown, omissions, asked)
    return { parts, sent: sentWith(asked.comment, sent, discussion, began) }
  }
}

/** The command, with the lines of its review, is no remark for its job. */
function sentWith(
  command: Comment,
  sent: readonly Remark[],
  discussion = NO_DISCUSSION,
  from = 0,
): SentRemarks {
  const ofReview = discussion.entries.filter((entry) => isOfRequest(command, entry))
  return { ids: [command, ...sent, ...ofReview].map(({ id }) => id), at: commandAt(command), from }
}

/** Ids of what the action wrote: a record, in a comment of an account that writes here. */
async function ownComments({ github }: Session, { comments }: Thread): Promise<ReadonlySet<number>> {
  const recorded = comments.filter(({ body }) => carriesRecord(body))
  const own = await ofBotsAndWriter(github, recorded).catch((error: unknown) => {
    if (error instanceof GitHubError) return recorded.filter(({ author }) => author?.bot === true)
    throw error
  })
  return new Set(own.map(({ id }) => id))
}

const NO_DISCUSSION: Discussion = { entries: [], older: 0, hasOlderReviews: false }

/** The texts of the newest remarks that may go, as their readers see them; null for one that GitHub has no more. */
type Texts = ReadonlyMap<Remark, VisibleText | null>

/** @returns undefined where a page of them does not come */
async function readTexts(
  { github }: Session,
  { number }: Thread,
  judged: readonly Judged[],
): Promise<Texts | undefined> {
  const unread: Remark[] = []
  const rendered: Remark[] = []
  let left: number = BUDGETS.conversation
  for (const { remark, omission } of judged.toReversed()) {
    if (omission !== undefined) continue
    if (remark.html !== undefined) rendered.push(remark)
    else if (left > 0) unread.push(remark)
    if (remark.listed !== undefined) left -= Math.min(BUDGETS.remark, remark.body.length) + HEADER_LENGTH
  }
  try {
    const pages = new Set(unread.map(({ listed }) => github.pageOfComment(listed?.at ?? 0)))
    const several = unread.filter(({ body }) => hasParagraphs(body))
    const [came, ...read] = await Promise.all([
      github.channelsOf(several.map(({ listed }) => listed?.nodeId ?? '')),
      ...[...pages].map((page) => github.renderedComments(number, page)),
    ])
    const byId = new Map(read.flat().map((one) => [one.id, one]))
    const texts = new Map<Remark, VisibleText | null>()
    for (const remark of [...unread, ...rendered]) {
      const found = remark.html === undefined ? byId.get(remark.id) : { body: remark.body, html: remark.html }
      const via = remark.via ?? came.get(remark.listed?.nodeId ?? '') ?? 'unknown'
      const isSame = found !== undefined && found.body === remark.body
      texts.set(remark, isSame ? withQuotedRest(await visibleTextOf(found.html), remark.body, via) : null)
    }
    return texts
  } catch (error) {
    if (error instanceof GitHubError) return undefined
    throw error
  }
}

const linesOf = (body: string): readonly string[] => body.trim().split(/\r\n?|\n/)

const hasParagraphs = (body: string): boolean => hasWords(linesOf(body), endOfParagraph(linesOf(body), 0))

/**
 * Of a mail, what stands below its first paragraph may be anybody's: it is marked as quotations are. The page can show fewer
 * empty lines than the mail has, so that the paragraph has no more lines there than it was written in.
 */
function withQuotedRest({ text, pictures }: VisibleText, body: string, via: CommentChannel): VisibleText {
  if (via === 'page' || !hasParagraphs(body)) return { text, pictures }
  const most = endOfParagraph(linesOf(body), 0)
  const lines = text.split('\n')
  const end = Math.min(most, endOfParagraph(lines, 0))
  return { text: lines.map((line, at) => (at < end ? line : `> ${line}`.trimEnd())).join('\n'), pictures }
}

const add = <K>(counts: Map<K, number>, name: K, n: number): void =>
  void counts.set(name, (counts.get(name) ?? 0) + n)

interface Choice {
  readonly texts: Texts
  readonly command: string
  /** Older ones had no room for this job before, and do not go. */
  readonly from: number
}

/** The newest remarks that have room, those at the line of the command before the others. The oldest stands first again. */
function choose(judged: readonly Candidate[], { texts, command, from }: Choice) {
  const omissions = new Map<ConversationOmission, number>()
  const chosen = new Map<Remark, Omit<Shown, 'isNear' | 'isOutdated'>>()
  let left: number = BUDGETS.conversation
  const newestFirst = judged.toReversed().sort((a, b) => Number(b.remark.isNear) - Number(a.remark.isNear))
  for (const { remark, omission } of newestFirst) {
    const visible = texts.get(remark)
    if (omission !== undefined) add(omissions, omission, 1)
    else if (visible === null) add(omissions, 'changed', 1)
    else {
      const cut = cutToBudget(visible?.text ?? '', BUDGETS.remark)
      const rest = left - cut.length - HEADER_LENGTH
      const fits = visible !== undefined && rest >= 0 && remark.createdAt >= from
      // Those below the first without room are older: none of them goes.
      left = fits ? rest : remark.createdAt >= from ? 0 : left
      if (!fits) add(omissions, 'room', 1)
      else {
        const isCommand = parseCommand(cut, command) !== undefined
        const { pictures } = visible
        chosen.set(remark, { heading: headerOf(remark), text: cut, pictures, isCommand })
      }
    }
  }
  const sent = judged.map(({ remark }) => remark).filter((remark) => chosen.has(remark))
  const shown = sent.flatMap((remark): Shown[] => {
    const one = chosen.get(remark)
    return one === undefined ? [] : [{ ...one, isNear: remark.isNear, isOutdated: remark.isOutdated }]
  })
  return { shown, omissions, sent }
}

function headerOf({ author, createdAt, place, isOutdated }: Remark): string {
  return `@${author?.login}${place === '' ? '' : ` ${place}`}, ${minuteOf(createdAt)}${isOutdated ? ', outdated' : ''}:`
}

function partsOf(
  shown: readonly Shown[],
  omissions: ReadonlyMap<ConversationOmission, number>,
  asking: Asking,
): readonly Part[] {
  return [describeConversation(shown, describeOmissions(omissions, asking.minPermission), asking)]
}
