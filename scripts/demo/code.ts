import { changed, EXPLAINED, SHORTENED } from './changes.ts'
import { HOUR_MS, MINUTE_MS, type Plot, type Story } from './story.ts'

const CODE = 30
const TESTS = 31
const RETRY = changed(
  'src/fetch.ts',
  '@@ -1 +1 @@\n+export interface Retry { limit: number; backoff: number }',
)
const LIMIT = changed('src/limit.ts', '@@ -1 +1 @@\n+const MAX_RETRIES = 10')
const TESTED = changed('test/fetch.test.ts', "@@ -1 +1 @@\n+test('a request that fails is repeated')")
const LIMITED = changed('test/limit.test.ts', "@@ -1 +1 @@\n+test('the eleventh retry is refused')")

const INPUTS = {
  'commit-status': 'docs',
  prompt: 'Update the documentation for what this pull request changes.',
  'timeout-minutes': '50',
}

/** What examples/docs-with-the-code.yml does with a pull request, from its label to its merge. */
async function tell(story: Story): Promise<void> {
  const { service } = story.emulator
  service.script.push(
    { durationMs: 9 * MINUTE_MS, change: EXPLAINED },
    { durationMs: 4 * MINUTE_MS, change: SHORTENED },
  )
  await story.later(3 * HOUR_MS)
  const body = 'So that a request which fails is repeated.'
  story.opens('alice', { number: CODE, title: 'Add a retry option to fetchAll', body, files: [RETRY] })
  await story.later(5 * MINUTE_MS)
  await story.run(story.labels('alice', CODE, 'docs'), {
    inputs: INPUTS,
    expected: { outcome: 'pull-request', 'job-action': 'created' },
  })

  await story.later(HOUR_MS)
  await story.run(story.pushes('alice', CODE, { files: [RETRY, LIMIT], commit: [LIMIT] }), {
    inputs: INPUTS,
    expected: { outcome: 'pull-request', 'job-action': 'continued' },
  })

  await story.later(3 * HOUR_MS)
  await story.run(story.pushes('alice', CODE, { files: [RETRY, LIMIT], isForced: true }), {
    inputs: INPUTS,
    expected: { outcome: 'skipped', reason: 'no-changes' },
  })

  await story.later(20 * MINUTE_MS)
  await story.run(story.merges('bob', CODE), {
    inputs: INPUTS,
    expected: { outcome: 'skipped', reason: 'pull-request-closed' },
  })
  await skip(story)
}

/** A pull request that needs no docs: neither its label nor a push asks for them. */
async function skip(story: Story): Promise<void> {
  const expected = { outcome: 'skipped', reason: 'docs-skipped' }
  await story.later(HOUR_MS)
  story.opens('alice', { number: TESTS, title: 'Test the retries', files: [TESTED] })
  await story.later(6 * MINUTE_MS)
  // The workflow of comments, which has no prompt.
  const inputs = { 'commit-status': INPUTS['commit-status'] }
  await story.run(story.says('bob', TESTS, '/docs skip because only the tests change'), { inputs, expected })
  await story.later(2 * MINUTE_MS)
  await story.run(story.labels('alice', TESTS, 'docs'), { inputs: INPUTS, expected })
  await story.later(25 * MINUTE_MS)
  await story.run(story.pushes('alice', TESTS, { files: [TESTED, LIMITED], commit: [LIMITED] }), {
    inputs: INPUTS,
    expected,
  })
}

export const CODE_WITH_DOCS: Plot = {
  title: 'Docs with the code',
  about:
    'alice labels her pull request. Its docs become a status of the code: a push brings them up to date, a rebase costs no credits, and bob, who merges, sees that they are there. For a pull request that changes only tests, bob says that it needs none.',
  tell,
}
