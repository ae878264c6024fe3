import type { NewPullRequest } from '../../emulator/github/new.ts'
import type { Change } from '../../emulator/service/turn.ts'
import { changed, EXPLAINED } from './changes.ts'
import { readersOf } from './site.ts'
import { DAY_MS, MINUTE_MS, type Plot, type Story, Unexpected } from './story.ts'

const WEEK_MS = 7 * DAY_MS

/** The first week makes it, after its merges. */
const ISSUE = 33

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
  { merged: [], expected: { outcome: 'pull-request', 'job-action': 'continued' } },
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

/** Three weeks of examples/weekly-refresh.yml. */
async function tell(story: Story): Promise<void> {
  const { service, settings } = story.emulator
  const first = settings.now()
  for (const [at, week] of WEEKS.entries()) {
    await refresh(story, first + (at + 1) * WEEK_MS, week)
  }
  if (service.jobs().length !== 1) throw new Unexpected('the weeks do not share one job')
}

/** @param monday milliseconds since the epoch */
async function refresh(story: Story, monday: number, { merged, change, expected }: Week): Promise<void> {
  const { settings, service } = story.emulator
  const waitUntil = (at: number) => story.later(at - settings.now())
  await waitUntil(monday - 3 * DAY_MS)
  for (const pull of merged) {
    story.opens('alice', pull)
    story.merges('bob', pull.number)
    story.tells(ISSUE, `bob merged #${pull.number}: ${pull.title}`)
  }
  await waitUntil(monday)
  service.readers = readersOf(monday)
  if (change) service.script.push({ durationMs: 9 * MINUTE_MS, change })
  const schedule = story.schedule('The schedule started the workflow', ISSUE)
  const missed = {
    action: 'insights',
    inputs: { period: 'last-week' },
    expected: { complete: 'true' },
  } as const
  const { outputs } = await story.run(schedule, missed)
  const inputs = {
    'issue-title': 'Docs refresh',
    'changes-since': 'last-run',
    'reference-file': outputs.file ?? '',
    prompt: 'Update the docs for what was merged. Then fix what readers missed.',
  }
  await story.run(schedule, { inputs, expected })
}

export const REFRESH: Plot = {
  title: 'A weekly refresh',
  about:
    'Each Monday, the agent gets what people merged and what readers missed. An issue keeps one conversation and one pull request. In a week without merges, it gets what readers missed.',
  tell,
}
