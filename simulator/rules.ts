import { type History, runOf } from './history.ts'
import type { Life } from './life.ts'
import * as checks from './rules/checks.ts'
import * as code from './rules/code-pull-request.ts'
import * as conversation from './rules/conversation.ts'
import * as ending from './rules/ending.ts'
import * as finishing from './rules/finishing.ts'
import * as jobs from './rules/jobs.ts'
import * as people from './rules/people.ts'
import * as permission from './rules/permission.ts'
import * as pullRequestThread from './rules/pull-request-thread.ts'
import * as refreshes from './rules/refreshes.ts'
import type { Rule } from './rules/rule.ts'
import * as runner from './rules/runner.ts'
import * as secrets from './rules/secrets.ts'
import * as sentences from './rules/sentences.ts'
import * as served from './rules/served.ts'
import * as texts from './rules/texts.ts'
import * as thread from './rules/thread.ts'
import * as time from './rules/time.ts'
import * as tries from './rules/tries.ts'

/** All that these files export. */
export const RULES: readonly Rule[] = [
  ...[
    checks,
    code,
    conversation,
    ending,
    finishing,
    jobs,
    people,
    permission,
    pullRequestThread,
    refreshes,
    runner,
  ],
  ...[secrets, sentences, served, texts, thread, time, tries],
].flatMap((rules) => Object.values<Rule>(rules))

/** A rule that does not hold, and how. */
export interface Breach {
  readonly rule: string
  readonly clause: string
  readonly complaint: string
}

export function breachesAfter(history: History, life: Life): Breach[] {
  const run = runOf(history, life)
  const main = run && { history, world: history.world, life, ...run }
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
