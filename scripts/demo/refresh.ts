import type { NewPullRequest } from '../../emulator/github/new.ts'
import type { Change } from '../../emulator/service/turn.ts'
import { created, extended, LIMIT, RETRY } from './changes.ts'
import { LIMITED } from './code.ts'
import { readersOf } from './site.ts'
import { DAY_MS, MINUTE_MS, type Plot, type Story } from './story.ts'

const WEEK_MS = 7 * DAY_MS

/** The first week makes it, after its merges. */
const ISSUE = 33

interface Week {
  readonly merged: readonly (NewPullRequest & { readonly number: number })[]
  /** What the agent writes; missing where it is not asked. */
  readonly change?: Change
}

const WEEKS: readonly Week[] = [
  {
    merged: [
      { number: 31, title: 'Add a retry option to fetchAll', body: '', files: [RETRY] },
      { number: 32, title: 'Limit retries to ten', body: '', files: [LIMIT] },
    ],
    change: { ...LIMITED, commit: LIMITED.files, title: 'Docs refresh: retries' },
  },
  {
    merged: [],
    change: {
      title: 'Docs refresh: keys, webhooks',
      files: [
        extended(
          'docs/concepts/keys.mdx',
          24,
          '\n## Rotation\n\nMake a second key, and delete the first once nothing uses it: until then, both work.',
        ),
        extended('docs/reference/webhooks.mdx', 31, '| `export.failed` | An export failed |'),
      ],
    },
  },
  {
    merged: [
      {
        number: 36,
        title: 'Read NO_PROXY',
        body: 'Hosts in `NO_PROXY` are reached directly.',
        files: [created('src/proxy.ts', 'const direct = env.NO_PROXY')],
      },
    ],
    change: {
      title: 'Docs refresh: proxies, authentication',
      files: [
        created('docs/guides/proxies.mdx', '`NO_PROXY` lists the hosts that are reached without a proxy.'),
        extended(
          'docs/guides/authentication.mdx',
          40,
          '\nA key opens one project: in another one, you get a 401.',
        ),
      ],
    },
  },
  { merged: [] },
]

/** Four weeks of examples/weekly-refresh.yml. */
async function tell(story: Story): Promise<void> {
  const { settings } = story.emulator
  const first = settings.now()
  for (const [at, week] of WEEKS.entries()) await refresh(story, first, at + 1, week)
}

/** @param first a Monday, in milliseconds since the epoch; the weeks count from it */
async function refresh(story: Story, first: number, number: number, { merged, change }: Week): Promise<void> {
  const { settings, service } = story.emulator
  const monday = first + number * WEEK_MS
  const waitUntil = (at: number) => story.later(at - settings.now())
  await waitUntil(monday - 3 * DAY_MS)
  for (const pull of merged) {
    story.opens('alice', pull)
    story.merges('bob', pull.number)
    story.tells(ISSUE, `bob merged #${pull.number}: ${pull.title}`)
  }
  await waitUntil(monday)
  service.readers = readersOf(monday, number)
  if (change) service.script.push({ durationMs: 9 * MINUTE_MS, change })
  const schedule = story.schedule('The schedule started the workflow', ISSUE)
  const { outputs } = await story.run(schedule, {
    action: 'insights',
    inputs: { period: 'last-week' },
    expected: { complete: 'true' },
  })
  const inputs = {
    'issue-title': 'Docs refresh',
    'changes-since': 'last-run',
    'reference-file': outputs.file ?? '',
    prompt: 'Update the docs for what was merged. Then fix what readers missed.',
  }
  const expected = change
    ? { outcome: 'pull-request', 'job-action': 'created' }
    : { outcome: 'skipped', reason: 'no-changes' }
  await story.run(schedule, { inputs, expected })
  await waitUntil(monday + 2 * DAY_MS)
  if (change) story.mergesDocs('bob')
}

export const REFRESH: Plot = {
  title: 'A weekly refresh',
  about:
    'Each Monday, the agent gets what people merged and what readers missed, and an issue says what came of it. bob merges each pull request of the agent, so readers miss less. In the second week nothing is merged; in the fourth, readers miss nothing either, so the agent is not asked.',
  tell,
}
