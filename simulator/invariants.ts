import type { History } from './history.ts'
import { jobContinued } from './invariants/conversation.ts'
import { agreedOutcome, resultsAgree, truthfulAction } from './invariants/ending.ts'
import { finishingDecidesNothing } from './invariants/finishing.ts'
import type { Invariant } from './invariants/invariant.ts'
import { neverTwice, nothingLost } from './invariants/jobs.ts'
import { nobodyElseMentioned } from './invariants/people.ts'
import { nothingForStrangers, onlyOwnJobs } from './invariants/permission.ts'
import { eachMergeOnce, oneTrackingIssue } from './invariants/refreshes.ts'
import { commandsMeant, filesMeant } from './invariants/runner.ts'
import { noRedirects, secretsKept } from './invariants/secrets.ts'
import { textAsShown } from './invariants/texts.ts'
import { oneResult, resultStays } from './invariants/thread.ts'
import { cancelledSoon, endsInTime, nothingAfterDeadline, patient } from './invariants/time.ts'
import { fewTries } from './invariants/tries.ts'
import { sweepsStartNothing } from './invariants/wake-ups.ts'
import type { Life } from './life.ts'

export const INVARIANTS: readonly Invariant[] = [
  neverTwice,
  nothingLost,
  jobContinued,
  textAsShown,
  agreedOutcome,
  resultsAgree,
  truthfulAction,
  oneResult,
  resultStays,
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
  finishingDecidesNothing,
  sweepsStartNothing,
]

/** An invariant that does not hold, and how. */
export interface Breach {
  readonly invariant: string
  readonly clause: string
  readonly complaint: string
}

export const breachesAfter = (history: History, life: Life): Breach[] =>
  INVARIANTS.flatMap((invariant) => breaches(invariant, invariant.afterLife?.(history, life)))

export const breachesAtEnd = (history: History): Breach[] =>
  INVARIANTS.flatMap((invariant) => breaches(invariant, invariant.atEnd?.(history)))

const breaches = ({ name, clause }: Invariant, complaints: readonly string[] = []): Breach[] =>
  complaints.map((complaint) => ({ invariant: name, clause, complaint }))
