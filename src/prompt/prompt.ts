import { fullName } from '../base/link.ts'
import { joined } from '../base/text.ts'
import type { Command, CommentCommand } from '../event/command.ts'
import { withoutPictures } from '../event/pictures.ts'
import type { Runner, Trigger } from '../event/trigger.ts'
import type { OmittedLines, ReferredDocs, SentRemarks } from '../record/record.ts'
import { BUDGETS } from './budgets.ts'
import type { PullRequestChanges } from './context.ts'
import { describeHunk, namePush, PAST_BUDGET, readContext } from './context.ts'
import { frame, type Prompt } from './frame.ts'
import { readLinkedCode } from './linked-code.ts'
import { describeMerged, type PushedChanges } from './merged.ts'
import { cutPart, type Part, partOf, type Section } from './parts.ts'
import { type RenderDeps, renderedMarkdown } from './rendered.ts'
import { readReviewLines, withReviewLines } from './review.ts'
import { isTagOfMerges, type PromptSource } from './task.ts'

/** What the event tells the agent; '' for what is not there. */
export interface EventTexts {
  /** With the line comments of its review. */
  readonly command: Command
  readonly request: string
  /** Who asks, and where; '' where no command does. */
  readonly asking: string
  /** How many stand in the request of a command, which has their addresses. */
  readonly pictures: number
  /** What triggered the run. */
  readonly about: readonly Part[]
  /** What goes with a message: what a push brought, or the places that review comments are about. */
  readonly followUpAbout: readonly Part[]
}

export interface PromptParts extends Pick<EventTexts, 'request' | 'asking' | 'pictures'> {
  /** Of what triggered the run, what goes to this job. */
  readonly about: readonly Part[]
  /** For the record: the changed lines that do not go, or did not go before; undefined for none. */
  readonly omittedLines: OmittedLines | undefined
  /** What stands above a command in its thread. */
  readonly conversation: {
    readonly parts: readonly Part[]
    /** For the record; undefined for nothing. */
    readonly sent: SentRemarks | undefined
  }
  /** Pull requests merged since an earlier run. */
  readonly changes: readonly Part[]
  /** The texts of the reference files. */
  readonly references: readonly Section[]
  /** Of a pull request to which that of the request refers; undefined for none, and for a job that goes on. */
  readonly referredDocs: ReferredDocs | undefined
  /** The job may have some of the changes, which only its agent can tell. */
  readonly isEarlierInDoubt: boolean
}

type EventDeps = RenderDeps & { readonly runner: Runner }

/**
 * Reads what a prompt may need of the event, all at the same time.
 * @param text the request as the event or the inputs have it
 */
export async function readEventTexts(
  deps: EventDeps,
  asked: PromptSource,
  text: string,
  pushed: PushedChanges | undefined,
  changes?: Promise<PullRequestChanges>,
): Promise<EventTexts> {
  const { inputs, trigger, command } = asked
  const [described, review, linked] = await Promise.all([
    inputs.context ? describeTrigger(deps, asked, pushed, changes) : [],
    readReviewLines(deps, asked),
    inputs.context && command.kind === 'prompt' ? readLinkedCode(deps, trigger, command.prompt) : [],
  ])
  const whole = withReviewLines(command, review)
  const request = whole.kind === 'prompt' ? whole.prompt : text
  const quoted = whole.kind === 'input' ? [] : await describeOthers(deps, whole)
  const hunk = describeHunk(trigger)
  return {
    command: whole,
    request,
    pictures: whole.kind === 'input' ? 0 : withoutPictures(request).pictures,
    asking: inputs.context && command.kind !== 'input' ? describeAsking(trigger, deps.runner) : '',
    about: [
      ...describeLines([...(inputs.context ? hunk : []), ...review.places]),
      ...linked,
      ...quoted,
      ...described,
    ],
    followUpAbout:
      trigger.push === undefined
        ? [...describeLines([...hunk, ...review.places]), ...linked, ...quoted]
        : described,
  }
}

const PLACES = { issue: 'on', review: 'on a line of', 'submitted-review': 'in a review of' } as const

function describeAsking({ comment, subject }: Trigger, { repository }: Runner): string {
  if (comment?.author === undefined || subject === undefined) return ''
  const kind = subject.isPullRequest ? 'pull request' : 'issue'
  const place = `${PLACES[comment.kind]} ${kind} ${fullName(repository)}#${subject.number}`
  return `@${comment.author.login} asks this ${place}.`
}

const describeLines = (places: readonly Section[]): readonly Part[] =>
  places.length === 0
    ? []
    : [cutPart(partOf({ kind: 'review lines' }, places), BUDGETS.reviewLines, PAST_BUDGET)]

/** What the comment holds of other people's words, as its readers see them. */
async function describeOthers(
  deps: RenderDeps,
  { quotations, below = '', omissions }: CommentCommand,
): Promise<readonly Part[]> {
  const all = quotations.map((markdown, at) => `Quotation ${at + 1}:\n\n${markdown}`)
  const [quoted, rest] = await Promise.all([
    renderedMarkdown(deps, all.join('\n\n')),
    renderedMarkdown(deps, below),
  ])
  const cameByMail = omissions.some((one) => one.kind === 'below-mail' && one.isMail)
  return [
    cutPart(partOf({ kind: 'quotations' }, quoted.text, quoted), BUDGETS.quotations, PAST_BUDGET),
    cutPart(
      partOf({ kind: 'below the request', cameByMail }, rest.text, rest),
      BUDGETS.belowMail,
      PAST_BUDGET,
    ),
  ]
}

async function describeTrigger(
  deps: EventDeps,
  asked: PromptSource,
  pushed: PushedChanges | undefined,
  changes: Promise<PullRequestChanges> | undefined,
): Promise<readonly Part[]> {
  const { inputs, trigger } = asked
  if (isTagOfMerges(asked)) return [namePush(trigger.push?.ref ?? '')]
  const merged = pushed?.merged ?? []
  if (merged.length === 0)
    return await readContext(deps, trigger, deps.runner, inputs.paths, pushed?.comparison, changes)
  // The changes since an earlier run hold what this push merged.
  if (inputs.changesSince !== undefined) return []
  const heading = `Pull requests that this push merged into ${trigger.push?.branch ?? ''}: ${merged.length}`
  if (pushed?.isCut !== true) return await describeMerged(deps, heading, merged, inputs.paths, pushed?.note)
  const [list, ...details] = await describeMerged(
    deps,
    heading,
    merged,
    inputs.paths,
    joined(' ', LONG_PUSH, pushed.note),
  )
  return list === undefined
    ? details
    : [{ ...list, omissions: [...list.omissions, { kind: 'long-push' }] }, ...details]
}

const LONG_PUSH = 'The push is long: earlier pull requests of it may be missing.'

const MAY_HAVE_SOME =
  'It is not known whether an earlier message about this pull request reached you: you may have some of its changes already.'

const describeReferred = (docs: ReferredDocs | undefined): string =>
  docs === undefined
    ? ''
    : `The pull request that this is about refers to #${docs.number}, whose documentation is in ${docs.link}. Start from that, and change what differs here.`

/** What people hear about is no part of the text. */
export function promptOf(
  parts: PromptParts,
  kind: 'create' | 'continue',
  guidelines: string,
  random: () => number,
): Prompt {
  const { request, pictures, isEarlierInDoubt, references } = parts
  const asking = joined('\n\n', parts.asking, describeReferred(parts.referredDocs))
  const isNew = kind === 'create'
  const own = joined('\n\n', isNew ? guidelines : '', request, isEarlierInDoubt ? MAY_HAVE_SOME : '')
  const files = cutPart(partOf({ kind: 'references' }, references), BUDGETS.references, PAST_BUDGET)
  return frame(
    { own, asking, pictures },
    [...parts.changes, ...parts.about, ...parts.conversation.parts, files],
    random,
  )
}
