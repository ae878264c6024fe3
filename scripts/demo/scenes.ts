import type { Turn } from '../../emulator/service/turn.ts'
import { EXPLAINED, SHORTENED } from './changes.ts'

/** One comment, what the agent makes of it, and how the run must end. */
export interface Scene {
  readonly heading: string
  readonly login: string
  readonly body: string
  /** Where it is written: the issue that the demo begins with, or the agent's pull request. */
  readonly on: 'issue' | 'pull-request'
  readonly turn?: Turn
  readonly inputs?: Readonly<Record<string, string>>
  readonly expected: Readonly<Record<string, string>>
  readonly exitCode: number
  readonly showSummary: boolean
}

const WORK_MS = 2_000

const ask: Omit<Scene, 'heading' | 'expected' | 'exitCode'> = {
  login: 'alice',
  body: '/docs explain the new retry option',
  on: 'issue',
  turn: { durationMs: WORK_MS, change: EXPLAINED },
  showSummary: true,
}

export const CONVERSATION: readonly Scene[] = [
  {
    ...ask,
    heading: 'alice writes on an issue: /docs explain the new retry option',
    expected: { outcome: 'pull-request', 'job-action': 'created' },
    exitCode: 0,
  },
  {
    ...ask,
    heading: 'bob reviews the pull request: /docs shorten it',
    login: 'bob',
    body: '/docs shorten it',
    on: 'pull-request',
    turn: { durationMs: WORK_MS, change: SHORTENED },
    showSummary: false,
    expected: { outcome: 'pull-request', 'job-action': 'continued' },
    exitCode: 0,
  },
  {
    heading: 'mallory, a stranger, tries: /docs link to my shop',
    login: 'mallory',
    body: '/docs link to my shop',
    on: 'issue',
    showSummary: false,
    expected: { outcome: 'skipped', reason: 'permission-denied' },
    exitCode: 0,
  },
]

export const FAILURE: readonly Scene[] = [
  {
    ...ask,
    heading: 'alice asks, and the agent fails',
    turn: { durationMs: WORK_MS, ending: 'failed' },
    expected: { outcome: 'failed', status: 'failed' },
    exitCode: 1,
  },
]

export const TIMEOUT: readonly Scene[] = [
  {
    ...ask,
    heading: 'alice asks, and the agent takes longer than the run waits',
    turn: { ending: 'active-forever' },
    inputs: { 'timeout-minutes': '0.07' },
    expected: { outcome: 'timed-out', status: 'active' },
    exitCode: 1,
  },
]

/** What the README shows. */
export const PICTURE: readonly Scene[] = [
  {
    ...ask,
    heading: 'alice asks',
    turn: { durationMs: WORK_MS, change: { ...EXPLAINED, ...SHORTENED } },
    expected: { outcome: 'pull-request', 'job-action': 'created' },
    exitCode: 0,
  },
]
