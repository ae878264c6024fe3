import { created, guideWith } from './changes.ts'
import { INPUTS as CODE_INPUTS } from './code.ts'
import { say } from './screen.ts'
import { HOUR_MS, MINUTE_MS, type Plot, type Story, Unexpected } from './story.ts'

const CODE = 40
const TIMEOUT = created('src/timeout.ts', 'export interface Timeout { timeout: number }')
const CLOCK = created('src/clock.ts', 'export const now = () => performance.now()')
const INPUTS = { ...CODE_INPUTS, 'memory-key': 'what-the-threads-remember' }

const DOCUMENTED = {
  title: 'Document the timeout option of fetchAll',
  body: 'Adds a section on `timeout` to the guide on fetching.',
  files: [guideWith('## Timeouts\n\nSet `timeout` to the milliseconds after which a request fails.\n')],
}

const NO_CREDITS = { kind: 'status', status: 402, body: { error: 'No credits left' } } as const

/** A pull request whose status is required, while the service refuses what it is asked. */
async function tell(story: Story): Promise<void> {
  const { service, faults } = story.emulator
  // The key that the workflow has expires.
  service.apiKey = 'replaced'
  await story.later(3 * HOUR_MS)
  const body = 'So that a request ends.'
  const pull = { number: CODE, title: 'Add a timeout option to fetchAll', body, files: [TIMEOUT] }
  const opened = story.opens('alice', pull)
  await story.run(opened, { inputs: INPUTS, expected: { outcome: 'error', reason: 'unauthorized' } })
  await seesStatus(story, 'error')

  await story.later(20 * MINUTE_MS)
  const title = 'bob replaced the API key, and re-ran the workflow'
  story.tells(CODE, title)
  const inputs = { ...INPUTS, 'api-key': service.apiKey }
  service.script.push({ durationMs: 6 * MINUTE_MS, change: DOCUMENTED })
  await story.run({ ...opened, title }, { inputs, expected: { outcome: 'pull-request' } })
  await seesStatus(story, 'success')

  await story.later(HOUR_MS)
  faults.add({ match: { host: 'service', method: 'POST' }, fault: NO_CREDITS })
  await story.run(story.pushes('alice', CODE, { files: [TIMEOUT, CLOCK], commit: [CLOCK] }), {
    inputs,
    expected: { outcome: 'error', reason: 'payment-required' },
  })
  await seesStatus(story, 'error')

  await story.later(5 * MINUTE_MS)
  // The workflow of comments has no prompt.
  const { prompt: _, ...atComments } = inputs
  await story.run(story.says('alice', CODE, '/docs skip because readers notice no change'), {
    inputs: atComments,
    expected: { outcome: 'skipped', reason: 'docs-skipped' },
  })
  await seesStatus(story, 'success')

  await story.run(story.merges('bob', CODE), {
    inputs,
    expected: { outcome: 'skipped', reason: 'docs-skipped' },
  })
  await story.later(MINUTE_MS)
  story.mergesDocs('bob')
}

/** Whether GitHub merges with the required status as it is. @throws {Unexpected} */
async function seesStatus(story: Story, state: 'success' | 'error'): Promise<void> {
  await story.later(MINUTE_MS)
  const { github } = story.emulator
  const { sha = '' } = github.pull(CODE).commits.at(-1) ?? {}
  const status = github
    .repo()
    .checks.get(sha)
    ?.findLast(({ name }) => name === 'docs')
  if (status?.conclusion !== state) throw new Unexpected(`the status is ${status?.conclusion}, not ${state}`)
  const verb = state === 'success' ? 'allows' : 'blocks'
  const line = `GitHub ${verb} the merge: the status docs is ${state}`
  story.tells(CODE, line)
  say(`\n  ${line}`)
}

export const TROUBLE: Plot = {
  title: 'When something fails',
  about:
    'The status `docs` is required, so GitHub merges no pull request without it. The API key has expired: bob replaces it, and re-runs the workflow. Then no credits are left. The push changes nothing for readers, so alice skips the docs, and bob can merge.',
  tell,
}
