import type { Check } from '../../emulator/github/checks.ts'
import { BROKEN_LINK, CORRECTED, EXPLAINED, ISSUE, SHORTENED } from './changes.ts'
import { HOUR_MS, MINUTE_MS, type Plot, type Story } from './story.ts'

const INPUTS = { 'fix-attempts': '2', 'timeout-minutes': '50' }

/** `links` is a job that needs `build`: it shows once the only other check has passed. */
const PASS: readonly Check[] = [
  { name: 'build', takesMs: 2 * MINUTE_MS },
  { name: 'links', needs: ['build'], takesMs: MINUTE_MS },
]
const FAIL: readonly Check[] = PASS.map((check) =>
  check.name === 'links'
    ? { ...check, conclusion: 'failure', title: '1 broken link', annotations: [BROKEN_LINK] }
    : check,
)

/** One request, up to the pull request whose checks pass. @returns its number */
export async function request(story: Story): Promise<number> {
  const { github, service } = story.emulator
  await story.later(3 * HOUR_MS)
  github.addIssue({ ...ISSUE, user: 'bob' })
  service.script.push(
    { durationMs: 9 * MINUTE_MS, change: EXPLAINED },
    { durationMs: 3 * MINUTE_MS, change: CORRECTED },
  )
  github.checks.script.push(FAIL, PASS)
  await story.later(26 * MINUTE_MS)
  await story.run(story.says('alice', ISSUE.number, '/docs explain the new retry option'), {
    inputs: INPUTS,
    expected: { outcome: 'pull-request', 'job-action': 'created', checks: 'success', fixes: '1' },
  })
  return [...github.repo().pulls.keys()].at(-1) ?? 0
}

async function tell(story: Story): Promise<void> {
  const { github, service } = story.emulator
  const pull = await request(story)

  await story.later(2 * HOUR_MS)
  service.script.push({ durationMs: 4 * MINUTE_MS, change: SHORTENED })
  github.checks.script.push(PASS)
  await story.run(story.says('bob', pull, '/docs shorten it'), {
    inputs: INPUTS,
    expected: { outcome: 'pull-request', 'job-action': 'continued', checks: 'success', fixes: '0' },
  })

  await story.later(12 * MINUTE_MS)
  await story.run(story.says('mallory', ISSUE.number, '/docs link to my shop'), {
    inputs: INPUTS,
    expected: { outcome: 'skipped', reason: 'permission-denied' },
  })

  await story.later(40 * MINUTE_MS)
  story.merges('alice', pull)
}

export const CONVERSATION: Plot = {
  title: 'A request on an issue',
  about:
    "alice asks for docs. A check of the pull request fails, and the agent repairs it. bob wants it shorter. mallory can't write to the repository, so the action asks the agent nothing.",
  tell,
}
