import type { NewPush } from '../../emulator/github/new.ts'
import { changed, EXPLAINED, SHORTENED } from './changes.ts'
import { heading, showPullRequest, showThread } from './screen.ts'
import type { Story } from './story.ts'

const CODE = 30
const RETRY = changed(
  'src/fetch.ts',
  '@@ -1 +1 @@\n+export interface Retry { limit: number; backoff: number }',
)
const LIMIT = changed('src/limit.ts', '@@ -1 +1 @@\n+const MAX_RETRIES = 10')

interface Scene {
  readonly heading: string
  readonly action: string
  readonly push?: NewPush
  readonly expected: Readonly<Record<string, string>>
}

const SCENES: readonly Scene[] = [
  {
    heading: 'alice gives her pull request the label `docs`',
    action: 'labeled',
    expected: { outcome: 'pull-request', 'job-action': 'created' },
  },
  {
    heading: 'alice pushes a limit: the agent gets that change',
    action: 'synchronize',
    push: { files: [RETRY, LIMIT], commit: [LIMIT] },
    expected: { outcome: 'pull-request', 'job-action': 'continued' },
  },
  {
    heading: 'alice rebases: the agent has it all',
    action: 'synchronize',
    push: { files: [RETRY, LIMIT], isForced: true },
    expected: { outcome: 'skipped', reason: 'no-changes' },
  },
  {
    heading: 'bob merges: the docs can be merged, too',
    action: 'closed',
    expected: { outcome: 'skipped', reason: 'pull-request-closed' },
  },
]

/** What examples/docs-with-the-code.yml does with a pull request, from its label to its merge. */
export async function docsWithTheCode(story: Story): Promise<void> {
  const { emulator } = story
  const { github, service, settings, shown } = emulator
  github.setPermission('alice', 'write')
  github.addPullRequest({
    number: CODE,
    title: 'Add a retry option to fetchAll',
    user: 'alice',
    files: [RETRY],
  })
  service.script.push({ durationMs: 500, change: EXPLAINED }, { durationMs: 500, change: SHORTENED })
  for (const { heading: title, action, push, expected } of SCENES) {
    heading(title)
    if (push !== undefined) github.push(CODE, push)
    if (action === 'closed') github.closePullRequest(CODE, { merged: true })
    const payload = { action, number: CODE, pull_request: shown.pull(CODE), repository: shown.repository() }
    await story.run({
      title,
      action: 'root',
      event: { name: 'pull_request', payload: { ...payload, sender: shown.user('alice') } },
      inputs: {
        'poll-interval-seconds': '1',
        'commit-status': 'docs',
        prompt: 'Update the documentation for what this pull request changes.',
      },
      expected,
    })
    showPullRequest(emulator, settings.repository, CODE)
  }
  showThread(github, settings.repository, CODE)
  showThread(github, settings.repository, 77)
}
