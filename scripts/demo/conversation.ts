import type { Check } from '../../emulator/github/checks.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { comment } from './actions.ts'
import { BROKEN_LINK, CORRECTED, EXPLAINED, ISSUE, SHORTENED } from './changes.ts'
import { heading, showPullRequest, showSummary, showThread } from './screen.ts'
import type { Story } from './story.ts'

/** One comment, what the agent makes of it, and how the run must end. */
interface Scene {
  readonly heading: string
  readonly login: string
  readonly body: string
  /** Where it is written: the issue that the demo begins with, or the agent's pull request. */
  readonly on: 'issue' | 'pull-request'
  /** Of the job, in order: to the comment, and to checks that fail. */
  readonly turns: readonly Turn[]
  /** Of each commit that these turns make. */
  readonly checks: readonly (readonly Check[])[]
  readonly expected: Readonly<Record<string, string>>
}

const WORK_MS = 2_000
const CHECK_MS = 1_000

/** `links` is a job that needs `build`: it shows a second after the only other check has passed. */
const PASS: readonly Check[] = [
  { name: 'build', takesMs: CHECK_MS },
  { name: 'links', needs: ['build'], appearsAfterMs: 1_000, takesMs: CHECK_MS },
]
const FAIL: readonly Check[] = PASS.map((check) =>
  check.name === 'links'
    ? { ...check, conclusion: 'failure', title: '1 broken link', annotations: [BROKEN_LINK] }
    : check,
)

const SCENES: readonly Scene[] = [
  {
    heading: 'alice writes on an issue: /docs explain the new retry option',
    login: 'alice',
    body: '/docs explain the new retry option',
    on: 'issue',
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
    checks: [],
    expected: { outcome: 'skipped', reason: 'permission-denied' },
  },
]

/** @param scenes how many of the three */
export const conversation = (scenes: number) => async (story: Story) => {
  const { emulator } = story
  const { github, service, settings } = emulator
  const { repository } = settings
  for (const login of ['alice', 'bob']) github.setPermission(login, 'write')
  github.addIssue(ISSUE)
  for (const { heading: title, on, turns, checks, expected, ...written } of SCENES.slice(0, scenes)) {
    heading(title)
    const pullRequest = () => [...github.repo().pulls.keys()].at(-1) ?? 0
    const number = on === 'issue' ? ISSUE.number : pullRequest()
    service.script.push(...turns)
    github.checks.script.push(...checks)
    const { summary } = await story.run({
      title,
      action: 'root',
      event: comment(emulator, { issue: number, ...written }),
      inputs: { 'poll-interval-seconds': '1', 'fix-attempts': '2' },
      expected,
    })
    if (checks.length > 0) showPullRequest(emulator, repository, pullRequest())
    showThread(github, repository, number)
    if (checks.length > 0 && on === 'issue') showSummary(summary)
  }
}
