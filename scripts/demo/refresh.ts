import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NewPullRequest } from '../../emulator/github/new.ts'
import type { Change } from '../../emulator/service/turn.ts'
import { ACTIONS, access } from './actions.ts'
import { changed, EXPLAINED } from './changes.ts'
import { difference } from './conversation.ts'
import { heading, logLine, say, showPullRequest, showSummary, showThread } from './screen.ts'
import { readersOf } from './site.ts'
import type { Stage, Story } from './stage.ts'

const REPOSITORY = 'octo/app'
/** The first week makes it, after its merges. */
const ISSUE = 33
const PULL_REQUEST = 77
const FIRST_RUN = 9_000_401
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

/** Three weeks of examples/weekly-refresh.yml, one right after the other. @returns what is wrong, or '' */
export async function showRefresh(stage: Stage): Promise<string> {
  const story = await stage.begin('Weekly refreshes', { repository: REPOSITORY, docsRepository: REPOSITORY })
  const workspace = mkdtempSync(join(tmpdir(), 'docs-agent-demo-'))
  const { emulator } = story
  emulator.service.readers = readersOf(Date.now())
  try {
    for (const [at, week] of WEEKS.entries()) {
      const problem = await refresh(stage, story, `Week ${at + 1}`, week, workspace)
      if (problem !== '') return problem
    }
    showThread(emulator.github, REPOSITORY, ISSUE)
    showPullRequest(emulator, REPOSITORY, PULL_REQUEST)
    return emulator.service.jobs().length === 1 ? '' : 'the weeks do not share one job'
  } finally {
    rmSync(workspace, { recursive: true, force: true })
    await emulator.close()
  }
}

async function refresh(
  stage: Stage,
  story: Story,
  title: string,
  { merged, change, expected }: Week,
  workspace: string,
): Promise<string> {
  const { emulator } = story
  heading(`${title}: ${merged.length} merged`)
  for (const pull of merged) {
    emulator.github.addPullRequest(pull)
    emulator.github.closePullRequest(pull.number, { merged: true })
    say(`    #${pull.number} ${pull.title}`)
  }
  if (change) emulator.service.script.push({ durationMs: WORK_MS, change })
  const run = (action: 'insights' | 'root', inputs: Readonly<Record<string, string>>) => ({
    action: ACTIONS[action],
    event: { name: 'schedule', payload: {} },
    inputs: { ...access(emulator), ...inputs },
    runId: FIRST_RUN + story.runs.length,
    workspace,
    onLog: logLine,
  })
  const { outputs } = await stage.run(story, `${title}: insights`, run('insights', { period: '7d' }))
  const asked = run('root', {
    'issue-title': 'Docs refresh',
    'changes-since': 'last-run',
    'reference-file': outputs.file ?? '',
    'poll-interval-seconds': '1',
    prompt: 'Update the docs for what was merged. Then fix what readers missed.',
  })
  const thread = { repository: REPOSITORY, number: ISSUE }
  const result = await stage.run(story, `${title}: refresh`, asked, thread)
  showSummary(result.summary)
  return difference({ expected, exitCode: 0 }, result)
}
