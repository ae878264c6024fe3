import type { NewPullRequest } from '../../emulator/github/new.ts'
import type { Change } from '../../emulator/service/turn.ts'
import { changed, EXPLAINED } from './changes.ts'
import { heading, say, showPullRequest, showSummary, showThread } from './screen.ts'
import { readersOf } from './site.ts'
import { type Story, Unexpected } from './story.ts'

/** The first week makes it, after its merges. */
const ISSUE = 33
const PULL_REQUEST = 77
const WORK_MS = 1_000

interface Week {
  readonly merged: readonly (NewPullRequest & { readonly number: number })[]
  /** What the agent writes; missing where it is not asked. */
  readonly change?: Change
  readonly expected: Readonly<Record<string, string>>
}

const NO_PROXY = changed(
  'docs/guides/proxies.mdx',
  `@@ -1 +1,2 @@
 The SDKs use the proxy that \`HTTPS_PROXY\` names.
+\`NO_PROXY\` lists the hosts that are reached without it.`,
)

const WEEKS: readonly Week[] = [
  {
    merged: [
      {
        number: 31,
        title: 'Add a retry option to fetchAll',
        body: '`fetchAll` takes `retry: { limit, backoff }`.',
        files: [changed('src/fetch.ts', '+export interface Retry { limit: number; backoff: number }')],
      },
      {
        number: 32,
        title: 'Limit retries to ten',
        body: 'More than ten retries are refused.',
        files: [changed('src/fetch.ts', '+const MAX_RETRIES = 10')],
      },
    ],
    change: { ...EXPLAINED, title: 'Docs refresh: retries' },
    expected: { outcome: 'pull-request', 'job-action': 'created' },
  },
  { merged: [], expected: { outcome: 'skipped', reason: 'no-changes' } },
  {
    merged: [
      {
        number: 34,
        title: 'Read NO_PROXY',
        body: 'Hosts in `NO_PROXY` are reached directly.',
        files: [changed('src/proxy.ts', '+const direct = env.NO_PROXY')],
      },
    ],
    change: {
      title: 'Docs refresh: retries, proxies',
      files: [...(EXPLAINED.files ?? []), NO_PROXY],
      commit: [NO_PROXY],
    },
    expected: { outcome: 'pull-request', 'job-action': 'continued' },
  },
]

/** Three weeks of examples/weekly-refresh.yml, one right after the other. */
export async function refreshes(story: Story): Promise<void> {
  const { emulator } = story
  const { repository } = emulator.settings
  emulator.service.readers = readersOf(Date.now())
  for (const [at, week] of WEEKS.entries()) await refresh(story, `Week ${at + 1}`, week)
  showThread(emulator.github, repository, ISSUE)
  showPullRequest(emulator, repository, PULL_REQUEST)
  if (emulator.service.jobs().length !== 1) throw new Unexpected('the weeks do not share one job')
}

async function refresh(story: Story, title: string, { merged, change, expected }: Week): Promise<void> {
  const { github, service } = story.emulator
  heading(`${title}: ${merged.length} merged`)
  for (const pull of merged) {
    github.addPullRequest(pull)
    github.closePullRequest(pull.number, { merged: true })
    say(`    #${pull.number} ${pull.title}`)
  }
  if (change) service.script.push({ durationMs: WORK_MS, change })
  const inputs = { period: '7d' }
  const { outputs } = await story.run({ title: `${title}: insights`, action: 'insights', inputs })
  const { summary } = await story.run({
    title: `${title}: refresh`,
    action: 'root',
    inputs: {
      'issue-title': 'Docs refresh',
      'changes-since': 'last-run',
      'reference-file': outputs.file ?? '',
      'poll-interval-seconds': '1',
      prompt: 'Update the docs for what was merged. Then fix what readers missed.',
    },
    expected,
  })
  showSummary(summary)
}
