import type { Check } from '../../emulator/github/checks.ts'
import { changed, edited, GUIDE, guideWith, LINK_LINE, limitRow, retries, safe } from './changes.ts'
import { HOUR_MS, MINUTE_MS, type Plot, type Story } from './story.ts'

const INPUTS = { 'fix-attempts': '2' }

const ISSUE = {
  number: 12,
  title: 'The retry option is not documented',
  body: 'Since 2.4 `fetchAll` takes `retry: { limit, backoff }`. The guide does not mention it.',
}
/** What people decide before they ask. */
const DECIDED = [
  ['bob', 'Are all requests repeated, or only safe ones? The guide should say it.'],
  ['alice', 'Only safe ones: link to the table of methods. And show both defaults.'],
] as const

const WRONG = safe('/guides/safe-requests')
const BROKEN_LINK = { path: GUIDE, line: LINK_LINE, message: 'There is no page /guides/safe-requests.' }

const EXPLAINED = {
  title: 'Document the retry option of fetchAll',
  body: 'Adds a section on `retry` to the guide on fetching.',
  files: [retries(limitRow(), WRONG)],
}
const CORRECTED = { files: [retries()], commit: [edited(LINK_LINE, WRONG, safe())] }

const SENTENCE =
  '`retry: { limit: 2, backoff: 1000 }` repeats a failed request twice, the first time after a second.'
const SHORTENED = {
  files: [guideWith(`## Retries\n\n${SENTENCE}\n${safe()}\n`)],
  commit: [
    changed(
      GUIDE,
      `@@ -22,7 +22 @@ ## Retries
-Set \`retry\` to repeat requests that fail:
-
-| Option | Default | Meaning |
-| --- | --- | --- |
-${limitRow()}
-| \`backoff\` | \`1000\` | Milliseconds before the first retry |
-
+${SENTENCE}`,
    ),
  ],
}

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

/** One request, up to the pull request whose checks pass. */
export async function request(story: Story): Promise<void> {
  const { github, service } = story.emulator
  await story.later(3 * HOUR_MS)
  github.addIssue({ ...ISSUE, user: 'bob' })
  service.script.push(
    { durationMs: 9 * MINUTE_MS, change: EXPLAINED },
    { durationMs: 3 * MINUTE_MS, change: CORRECTED },
  )
  github.checks.script.push(FAIL, PASS)
  for (const [login, body] of DECIDED) {
    await story.later(9 * MINUTE_MS)
    story.says(login, ISSUE.number, body)
  }
  await story.later(8 * MINUTE_MS)
  await story.run(story.says('alice', ISSUE.number, '/docs write down what we decided above'), {
    inputs: INPUTS,
    expected: { outcome: 'pull-request', 'job-action': 'created', checks: 'success', fixes: '1' },
  })
}

async function tell(story: Story): Promise<void> {
  const { github, service } = story.emulator
  await request(story)

  await story.later(2 * HOUR_MS)
  service.script.push({ durationMs: 4 * MINUTE_MS, change: SHORTENED })
  github.checks.script.push(PASS)
  await story.run(story.says('bob', story.docs, '/docs shorten it'), {
    inputs: INPUTS,
    expected: { outcome: 'pull-request', 'job-action': 'continued', checks: 'success', fixes: '0' },
  })

  await story.later(12 * MINUTE_MS)
  await story.run(story.says('mallory', ISSUE.number, '/docs link to my shop'), {
    inputs: INPUTS,
    expected: { outcome: 'skipped', reason: 'permission-denied' },
  })

  await story.later(40 * MINUTE_MS)
  story.mergesDocs('alice')
}

export const CONVERSATION: Plot = {
  title: 'A request on an issue',
  about:
    "alice and bob decide something, and alice asks for docs that say it. A check of the pull request fails, and the agent repairs it. bob wants it shorter. mallory can't write to the repository, so the action asks the agent nothing.",
  tell,
}
