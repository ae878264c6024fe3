import { type History, requestOf } from './history.ts'
import type { Life } from './life.ts'
import { H1 } from './rules/h1-asked-once.ts'
import { H1_OF_CODE } from './rules/h1-events-of-code.ts'
import { H1_OF_FIXES } from './rules/h1-fixes-once.ts'
import { H2 } from './rules/h2-never-lost.ts'
import { H3 } from './rules/h3-permission.ts'
import { H3_OF_SWEEPS } from './rules/h3-sweeps.ts'
import { H4 } from './rules/h4-nothing-leaks.ts'
import { H5 } from './rules/h5-green-over-red.ts'
import { H5_QUEUE } from './rules/h5-merge-queue.ts'
import { H5_STATUS } from './rules/h5-status.ts'
import { H5_OF_SWEEPS } from './rules/h5-sweeps.ts'
import { H6 } from './rules/h6-github-decides-nothing.ts'
import { H7_OF_CHECKS } from './rules/h7-checks-end.ts'
import { H7 } from './rules/h7-one-end.ts'
import type { MainStep, Rule } from './rules/rule.ts'

/** The seven promises. What is not among them is counted (`soft.ts`). */
export const RULES: readonly Rule[] = [
  ...H1,
  ...H1_OF_CODE,
  ...H1_OF_FIXES,
  ...H2,
  ...H3,
  ...H3_OF_SWEEPS,
  ...H4,
  ...H5,
  ...H5_STATUS,
  ...H5_QUEUE,
  ...H5_OF_SWEEPS,
  ...H6,
  ...H7,
  ...H7_OF_CHECKS,
]

/** A rule that does not hold, and how. */
export interface Breach {
  readonly promise: string
  readonly rule: string
  readonly complaint: string
}

export function breachesAfter(history: History, life: Life): Breach[] {
  const request = requestOf(history, life)
  const run = request?.runs.find(({ main }) => main === life)
  const main: MainStep | undefined = request && run && { history, world: history.world, life, request, run }
  return RULES.flatMap((rule) => [
    ...breaches(rule, rule.afterLife?.(history, life)),
    ...breaches(rule, main && rule.afterMain?.(main)),
  ])
}

export const breachesAfterSweeps = (history: History): Breach[] =>
  RULES.flatMap((rule) => breaches(rule, rule.afterSweeps?.(history)))

const breaches = ({ promise, name }: Rule, complaints: readonly string[] = []): Breach[] =>
  complaints.map((complaint) => ({ promise, rule: name, complaint }))
