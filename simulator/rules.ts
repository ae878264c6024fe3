import { type History, runOf } from './history.ts'
import type { Life } from './life.ts'
import { jobContinued } from './rules/conversation.ts'
import { agreedOutcome, resultsAgree, truthfulAction } from './rules/ending.ts'
import { finishingDecidesNothing } from './rules/finishing.ts'
import { fixesAreFew } from './rules/fixes.ts'
import { neverTwice, noJobForOwnPulls, nothingLost } from './rules/jobs.ts'
import { nobodyElseMentioned } from './rules/people.ts'
import { nothingForStrangers, onlyOwnJobs } from './rules/permission.ts'
import { eachMergeOnce, oneTrackingIssue, pushHasThread } from './rules/refreshes.ts'
import type { Rule } from './rules/rule.ts'
import { commandsMeant, filesMeant } from './rules/runner.ts'
import { noRedirects, secretsKept } from './rules/secrets.ts'
import { sentencesTrue } from './rules/sentences.ts'
import { served } from './rules/served.ts'
import { textAsShown } from './rules/texts.ts'
import { noRefusalByMistake, oneResult, resultArrives, resultStays } from './rules/thread.ts'
import { cancelledSoon, endsInTime, nothingAfterDeadline, patient } from './rules/time.ts'
import { fewTries } from './rules/tries.ts'
import { sweepsStartNothing } from './rules/wake-ups.ts'

export const RULES: readonly Rule[] = [
  served,
  neverTwice,
  nothingLost,
  noJobForOwnPulls,
  fixesAreFew,
  jobContinued,
  resultArrives,
  oneResult,
  resultStays,
  noRefusalByMistake,
  sentencesTrue,
  textAsShown,
  agreedOutcome,
  resultsAgree,
  truthfulAction,
  nothingForStrangers,
  onlyOwnJobs,
  secretsKept,
  noRedirects,
  commandsMeant,
  filesMeant,
  nothingAfterDeadline,
  endsInTime,
  cancelledSoon,
  patient,
  fewTries,
  nobodyElseMentioned,
  oneTrackingIssue,
  eachMergeOnce,
  pushHasThread,
  finishingDecidesNothing,
  sweepsStartNothing,
]

/** A rule that does not hold, and how. */
export interface Breach {
  readonly rule: string
  readonly clause: string
  readonly complaint: string
}

export function breachesAfter(history: History, life: Life): Breach[] {
  const served = runOf(history, life)
  const main = served && { history, world: history.world, life, ...served }
  return RULES.flatMap((rule) => [
    ...breaches(rule, rule.afterLife?.(history, life)),
    ...breaches(rule, main && rule.afterMain?.(main)),
  ])
}

export const breachesAfterSweep = (history: History): Breach[] =>
  RULES.flatMap((rule) => breaches(rule, rule.afterSweep?.(history)))

export const breachesAtEnd = (history: History): Breach[] =>
  RULES.flatMap((rule) => breaches(rule, rule.atEnd?.(history)))

const breaches = ({ name, clause }: Rule, complaints: readonly string[] = []): Breach[] =>
  complaints.map((complaint) => ({ rule: name, clause, complaint }))
