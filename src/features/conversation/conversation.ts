// Off unless `context` is on, and a command in a comment asks.

import { GitHubError } from '../../base/errors.ts'
import { parseCommand } from '../../event/command.ts'
import { endOfMail } from '../../event/email-reply.ts'
import { isSameAccount } from '../../event/gate.ts'
import type { Comment } from '../../event/trigger.ts'
import type { Discussion } from '../../github/discussion.ts'
import { CONTEXT_MS } from '../../github/patience.ts'
import { cutToBudget, type Part } from '../../prompt/parts.ts'
import { textOf } from '../../prompt/rendered.ts'
import { ROOMS } from '../../prompt/rooms.ts'
import type { Task } from '../../prompt/task.ts'
import type { ThreadRecords } from '../../record/log.ts'
import { jobOf } from '../../record/record.ts'
import type { Session } from '../../thread/session.ts'
import type { Thread } from '../../thread/thread.ts'
import { type Judged, judge } from './judge.ts'
import { commandAt, type Remark, remarksIn } from './remarks.ts'
import {
  type Asking,
  type ConversationOmission,
  describeConversation,
  describeOmissions,
  type Shown,
} from './words.ts'

/** A line that says who wrote it, and when. */
const HEADER_ROOM = 100

/** What stands above a command in its thread, for the agent. */
export interface Conversation {
  /** @param since what the job has already, in ms since the epoch; 0 for a new job */
  readonly after: (since: number) => readonly Part[]
  /** For the record: what a job that gets this has then, in ms since the epoch; 0 for nothing. */
  readonly until: number
}

const NO_CONVERSATION: Conversation = { after: () => [], until: 0 }

/** Up to when the job has the conversation. */
export const sentUntil = (records: ThreadRecords | undefined, jobId: string): number =>
  Math.max(
    0,
    ...[records?.current, ...(records?.replaced ?? []), ...(records?.others ?? [])].map((one) =>
      one !== undefined && jobOf(one.record)?.id === jobId ? (one.record.conversation ?? 0) : 0,
    ),
  )

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
  const words = { minPermission, asking: comment.author?.login ?? '', command: inputs.command }
  if (!trigger.isPublic && !sendsPrivate) {
    const kept = remarksIn(thread.comments, { entries: [] }, comment)
    return {
      after: (since) => partsOf([], new Map([['private', newer(kept, since).length]]), words),
      until: 0,
    }
  }
  const discussion = await (reading ?? NO_DISCUSSION)
  const judged = await judge(remarksIn(thread.comments, discussion ?? NO_DISCUSSION, comment), {
    author: comment.author,
    commandAt: commandAt(comment),
    needs: minPermission,
    permissionOf: (login) => session.github.permissionOf(login, CONTEXT_MS),
  })
  const texts = await readTexts(session, thread, judged, comment)
  if (texts === undefined) {
    const all = judged.map(({ remark }) => remark)
    return {
      after: (since) => partsOf([], new Map([['all', newer(all, since).length]]), words),
      until: 0,
    }
  }
  const missing = judged.filter(({ remark, omission }) => omission === 'unread' || texts.get(remark) === null)
  return {
    after: (since) => {
      const { shown, omissions } = choose(
        judged.filter(({ remark }) => remark.createdAt > since),
        texts,
        inputs.command,
      )
      if (discussion === undefined) omissions.set('reviews', 1)
      else if (since === 0) {
        add(omissions, 'room', discussion.older)
        if (discussion.hasOlderReviews) omissions.set('older-reviews', 1)
      }
      return partsOf(shown, omissions, words)
    },
    // What did not come now goes later.
    until: Math.min(commandAt(comment), ...missing.map(({ remark }) => remark.createdAt - 1)),
  }
}

const NO_DISCUSSION: Discussion = { entries: [], older: 0, hasOlderReviews: false }

const newer = (remarks: readonly Remark[], since: number): readonly Remark[] =>
  remarks.filter(({ createdAt }) => createdAt > since)

/** Text that shows to its readers what it says: no HTML, no quotation, no link with another name. */
const isPlain = (body: string): boolean => !/[<>&[\]\\]/.test(body)

/**
 * The texts of the newest remarks that may go, as their readers see them; null for one that GitHub has no more.
 * @returns undefined where a page of them does not come
 */
async function readTexts(
  { github }: Session,
  { number }: Thread,
  judged: readonly Judged[],
  { author }: Comment,
): Promise<ReadonlyMap<Remark, string | null> | undefined> {
  const texts = new Map<Remark, string | null>()
  const unread: Remark[] = []
  let room: number = ROOMS.conversation
  for (const { remark, omission } of judged.toReversed()) {
    if (omission !== undefined) continue
    const { html, listed } = remark
    if (html !== undefined) texts.set(remark, await textOf(html))
    // Those of the person who asks are like the request.
    else if (listed && isPlain(listed.body) && isSameAccount(remark.author, author))
      texts.set(remark, listed.body)
    else if (room > 0) unread.push(remark)
    if (listed !== undefined) room -= Math.min(ROOMS.remark, listed.body.length) + HEADER_ROOM
  }
  try {
    const pages = new Set(unread.map(({ listed }) => github.pageOfComment(listed?.at ?? 0)))
    const read = await Promise.all([...pages].map((page) => github.renderedComments(number, page)))
    const byId = new Map(read.flat().map((one) => [one.id, one]))
    for (const remark of unread) {
      const found = byId.get(remark.listed?.id ?? 0)
      const isSame = found !== undefined && found.body === remark.listed?.body
      texts.set(remark, isSame ? await textOf(found.html) : null)
    }
    return texts
  } catch (error) {
    if (error instanceof GitHubError) return undefined
    throw error
  }
}

const add = <K>(counts: Map<K, number>, name: K, n: number): void =>
  void counts.set(name, (counts.get(name) ?? 0) + n)

/** The newest remarks that have room, those at the line of the command before the others. The oldest stands first again. */
function choose(judged: readonly Judged[], texts: ReadonlyMap<Remark, string | null>, command: string) {
  const omissions = new Map<ConversationOmission, number>()
  const chosen = new Map<Remark, Omit<Shown, 'isNear'>>()
  let room: number = ROOMS.conversation
  const newestFirst = judged.toReversed().sort((a, b) => Number(b.remark.isNear) - Number(a.remark.isNear))
  for (const { remark, omission } of newestFirst) {
    const text = texts.get(remark)
    if (omission !== undefined) add(omissions, omission, 1)
    else if (text === null) add(omissions, 'changed', 1)
    else {
      const cut = cutToBudget(withMarkedMail(text ?? '', remark.listed?.body), ROOMS.remark)
      room -= cut.length + HEADER_ROOM
      if (text === undefined || room < 0) {
        room = 0
        add(omissions, 'room', 1)
      } else {
        const isCommand = parseCommand(cut, command) !== undefined
        chosen.set(remark, { heading: headerOf(remark), text: cut, isCommand })
      }
    }
  }
  const shown = judged.flatMap(({ remark }): Shown[] => {
    const one = chosen.get(remark)
    return one === undefined ? [] : [{ ...one, isNear: remark.isNear }]
  })
  return { shown, omissions }
}

function headerOf({ author, createdAt, place }: Remark): string {
  const when = new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')
  return `@${author?.login}${place === '' ? '' : ` ${place}`}, ${when} UTC:`
}

/** A reply by mail holds the mail that it answers, in most clients without a mark. @param body as it was written */
function withMarkedMail(text: string, body = text): string {
  const written = body.split('\n')
  const end = endOfMail(written, 1, new Set())
  if (end === undefined) return text
  const lines = text.split('\n')
  const begin = (written[end] ?? '').trim().slice(0, 6)
  const from = lines.findIndex((line, at) => at > 0 && line.startsWith(begin))
  return lines.map((line, at) => (at < from ? line : `> ${line}`)).join('\n')
}

function partsOf(
  shown: readonly Shown[],
  omissions: ReadonlyMap<ConversationOmission, number>,
  asking: Asking,
): readonly Part[] {
  return [describeConversation(shown, describeOmissions(omissions, asking.minPermission), asking)]
}
