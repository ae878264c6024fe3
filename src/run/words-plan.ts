import type { Ending } from '../request/outcome.ts'
import type { RequestComment } from '../request/precedence.ts'
import type { RequestState } from '../request/record.ts'
import type { SettlePlan } from '../request/settle-plan.ts'
import { differs, type Saying } from '../thread/say.ts'
import type { CommentWords } from './report.ts'

/** What the words of the comment depend on, each time that something became known. */
export interface WordsView extends Pick<Required<Saying>, 'shows'> {
  readonly plan: Pick<SettlePlan, 'teller'>
  readonly end: Pick<Ending, 'outcome'>
  readonly state: RequestState
  /** The comment that the thread shows. */
  readonly own: Pick<RequestComment, 'record'> | undefined
  /** The thread has the words of another run or attempt, and they stay. */
  readonly isTheirs: boolean
  /** What this process wrote in the comment; '' for nothing, and for the record alone. */
  readonly wrote: string
  /** What it would say. */
  readonly comment: CommentWords
  /** A result is posted beside the comment that stands (`comment: recreate`). */
  readonly recreates: boolean
  /** A run waits, and so keeps others from the request. */
  readonly waits: boolean
}

/** What is to be done about the comment. */
export interface WordsPlan {
  readonly saying: Required<Omit<Saying, 'what'>>
  /** The thread lacks that, as far as it is known. */
  readonly differs: boolean
}

export function planWords(view: WordsView): WordsPlan {
  const { plan, end, state, own, isTheirs, wrote, comment, recreates, waits } = view
  const words = isTheirs ? '' : comment.words
  // What this process found does not stand in the words of another.
  const shows = isTheirs ? [] : view.shows
  // The result is what notifies people: where the job goes on, and where they know it already, the comment is edited.
  const isNews = !comment.isQuiet && !plan.teller.addsToResult && end.outcome !== 'started'
  const asNew = recreates && isNews && words !== '' && wrote === ''
  return {
    saying: { words, asNew, shows },
    differs: differs({ own, state, words, wrote, shows, keepsLease: isTheirs || waits }),
  }
}
