import type { Check } from '../../emulator/github/checks.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { BROKEN_LINK, CORRECTED, EXPLAINED, SHORTENED } from './changes.ts'

/** One comment, what the agent makes of it, and how the run must end. */
export interface Scene {
  readonly heading: string
  readonly login: string
  readonly body: string
  /** Where it is written: the issue that the demo begins with, or the agent's pull request. */
  readonly on: 'issue' | 'pull-request'
  /** Of the job, in order: to the comment, and to checks that fail. */
  readonly turns: readonly Turn[]
  /** Of each commit that these turns make. */
  readonly checks?: readonly (readonly Check[])[]
  readonly inputs?: Readonly<Record<string, string>>
  readonly expected: Readonly<Record<string, string>>
  /** Default 0. */
  readonly exitCode?: number
}

const WORK_MS = 2_000
const CHECK_MS = 1_500

const PASS: readonly Check[] = ['build', 'links'].map((name) => ({ name, takesMs: CHECK_MS }))
const FAIL: readonly Check[] = PASS.map((check) =>
  check.name === 'links'
    ? { ...check, conclusion: 'failure', title: '1 broken link', annotations: [BROKEN_LINK] }
    : check,
)

const ask: Omit<Scene, 'heading' | 'turns' | 'expected'> = {
  login: 'alice',
  body: '/docs explain the new retry option',
  on: 'issue',
}

export const CONVERSATION: readonly Scene[] = [
  {
    ...ask,
    heading: 'alice writes on an issue: /docs explain the new retry option',
    turns: [
      { durationMs: WORK_MS, change: EXPLAINED },
      { durationMs: WORK_MS, change: CORRECTED },
    ],
    checks: [FAIL, PASS],
    expected: { outcome: 'pull-request', 'job-action': 'created', checks: 'success', fixes: '1' },
  },
  {
    heading: 'bob reviews the pull request: /docs shorten it',
    login: 'bob',
    body: '/docs shorten it',
    on: 'pull-request',
    turns: [{ durationMs: WORK_MS, change: SHORTENED }],
    checks: [PASS],
    expected: { outcome: 'pull-request', 'job-action': 'continued', checks: 'success', fixes: '0' },
  },
  {
    heading: 'mallory, a stranger, tries: /docs link to my shop',
    login: 'mallory',
    body: '/docs link to my shop',
    on: 'issue',
    turns: [],
    expected: { outcome: 'skipped', reason: 'permission-denied' },
  },
]

export const FAILURE: readonly Scene[] = [
  {
    ...ask,
    heading: 'alice asks, and the agent fails',
    turns: [{ durationMs: WORK_MS, ending: 'failed' }],
    expected: { outcome: 'failed', status: 'failed' },
    exitCode: 1,
  },
]

export const TIMEOUT: readonly Scene[] = [
  {
    ...ask,
    heading: 'alice asks, and the agent takes longer than the run waits',
    turns: [{ ending: 'active-forever' }],
    inputs: { 'timeout-minutes': '0.07' },
    expected: { outcome: 'timed-out', status: 'active' },
    exitCode: 1,
  },
]
