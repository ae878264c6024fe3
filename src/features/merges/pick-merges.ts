import { plainText } from '../../base/text.ts'
import type { PullRequest } from '../../event/objects.ts'
import { ignoredBy } from '../../inputs/ignore.ts'
import type { Inputs, MergedLabels } from '../../inputs/inputs.ts'
import { otherBotOf } from '../../thread/agent-pull-requests.ts'
import type { Session } from '../../thread/session.ts'
import { describeUncounted, type UncountedMerges } from '../../words/uncounted-merges.ts'

export interface PickedMerges {
  /** In the order of all. */
  readonly counting: readonly PullRequest[]
  readonly uncounted: UncountedMerges
}

/**
 * Which merges count. One of a bot that `ignore` or `merged-labels` leaves out as well counts as theirs, since `allowed-bots`
 * would not take it in.
 * @param all that were merged @param others of these, without those of bots and of the docs agent
 * @param links to the docs agent's own
 */
export function pickMerges(
  all: readonly PullRequest[],
  others: readonly PullRequest[],
  { allowedBots, ignore, mergedLabels }: Pick<Inputs, 'allowedBots' | 'ignore' | 'mergedLabels'>,
  links: readonly string[],
): PickedMerges {
  const bots = new Map(
    all
      .filter((pull) => !others.includes(pull))
      .map((pull) => [pull, otherBotOf(pull, allowedBots, links)] as const),
  )
  const known = all.filter((pull) => others.includes(pull) || bots.get(pull) !== undefined)
  const kept = known.filter((pull) => ignoredBy(ignore, pull) === undefined)
  const labelled = kept.filter((pull) => countsByLabels(pull, mergedLabels))
  return {
    counting: labelled.filter((pull) => !bots.has(pull)),
    uncounted: {
      ignored: known.length - kept.length,
      unlabelled: kept.length - labelled.length,
      bots: labelled.flatMap((pull) => bots.get(pull) ?? []),
      leftToEvents: [],
    },
  }
}

/** One of the excluded labels decides, whatever others a pull request has. */
function countsByLabels({ labels }: Pick<PullRequest, 'labels'>, wanted: MergedLabels | undefined): boolean {
  if (wanted === undefined) return true
  const { included, excluded } = wanted
  const has = new Set(labels.map((label) => label.toLowerCase()))
  if (excluded.some((label) => has.has(label))) return false
  return included.length === 0 || included.some((label) => has.has(label))
}

/** Says in answer and log what is left out. @returns the same for the agent */
export function noteUncounted(
  { deps, warnings }: Pick<Session, 'deps' | 'warnings'>,
  uncounted: UncountedMerges,
): string {
  const note = describeUncounted(uncounted)
  if (note === '') return ''
  warnings.omit({ kind: 'merges', uncounted })
  deps.core.info(plainText(note))
  return note
}
