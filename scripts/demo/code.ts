import { created, edited, LIMIT, LIMIT_LINE, limitRow, RETRY, retries } from './changes.ts'
import { HOUR_MS, MINUTE_MS, type Plot, type Story } from './story.ts'

const CODE = 30
const TEST = created('src/retry.test.ts', "test('repeats a request that fails', async () => {})")

/** As in examples/docs-with-the-code.yml. */
export const INPUTS = {
  'commit-status': 'docs',
  'fix-attempts': '1',
  paths: '**\n!**/*.test.*',
  prompt: 'Update the documentation for what this pull request changes.',
}

const DOCUMENTED = {
  title: 'Document the retry option of fetchAll',
  body: 'Adds a section on `retry` to the guide on fetching.',
  files: [retries()],
}
const LIMITED_ROW = limitRow(', 10 times at most')
/** What the second push changes. */
export const LIMITED = {
  files: [retries(LIMITED_ROW)],
  commit: [edited(LIMIT_LINE, limitRow(), LIMITED_ROW)],
}

/** A pull request from its first event to its merge. */
async function tell(story: Story): Promise<void> {
  const { service, github } = story.emulator
  github.checks.everyHead = [{ name: 'links', takesMs: MINUTE_MS }]
  service.script.push(
    { durationMs: 9 * MINUTE_MS, change: DOCUMENTED },
    { durationMs: 4 * MINUTE_MS, change: LIMITED },
  )
  const isKnown = { inputs: INPUTS, expected: { outcome: 'skipped', reason: 'no-changes' } }

  await story.later(3 * HOUR_MS)
  const body = 'So that a request which fails is repeated.'
  const pull = { number: CODE, title: 'Add a retry option to fetchAll', body, files: [RETRY] }
  await story.run(story.opens('alice', pull), {
    inputs: INPUTS,
    expected: { outcome: 'pull-request', 'job-action': 'created' },
  })

  await story.later(HOUR_MS)
  await story.run(story.pushes('alice', CODE, { files: [RETRY, LIMIT], commit: [LIMIT] }), {
    inputs: INPUTS,
    expected: { outcome: 'pull-request', 'job-action': 'continued' },
  })

  await story.later(40 * MINUTE_MS)
  await story.run(story.pushes('alice', CODE, { files: [RETRY, LIMIT, TEST], commit: [TEST] }), isKnown)

  await story.later(2 * HOUR_MS)
  await story.run(story.pushes('alice', CODE, { files: [RETRY, LIMIT, TEST], isForced: true }), isKnown)

  await story.later(20 * MINUTE_MS)
  await story.run(story.merges('bob', CODE), {
    inputs: INPUTS,
    expected: { outcome: 'skipped', reason: 'pull-request-closed' },
  })
  await story.later(MINUTE_MS)
  story.mergesDocs('bob')
}

export const CODE_WITH_DOCS: Plot = {
  title: 'Docs with the code',
  about:
    'alice opens a pull request, and its docs become a status of the code: pending while the agent works, then green. A push brings the docs up to date. After a push of tests and a rebase, the status is green at once, for no credits. bob merges the code, then the docs.',
  tell,
}
