import type { Emulator } from '../../emulator/emulator.ts'
import { userOf } from '../../emulator/github/model.ts'
import { hash } from '../../emulator/random.ts'
import type { RequestEntry } from '../../emulator/requests.ts'
import { runAction } from '../../emulator/runner.ts'
import { jobWithId } from '../../src/request/job.ts'
import { signRecord } from '../../src/request/signed-record.ts'
import { emulateInProcess } from '../../test/helpers/step-in-process.ts'
import { ACTIONS, access } from '../demo/actions.ts'
import type { Report } from './table.ts'

const BOT = 'github-actions[bot]'
const JOBS = 100
const COMMENTS = 2_000
/** Every answer of either server takes so long: about what GitHub takes. */
const ANSWER_MS = 80
/** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits */
const LIMITS = { contents: 80, points: 900 } as const

const isRead = ({ host, method }: RequestEntry): boolean => host === 'service' && method === 'GET'
const isPage = ({ path }: RequestEntry): boolean => path.endsWith('/issues/comments')
const createsContent = ({ method, path }: RequestEntry): boolean =>
  method === 'POST' && path.endsWith('/comments')
const pointsOf = ({ method }: RequestEntry): number => (method === 'GET' ? 1 : 5)

/** A sweep over a busy repository with a hundred ended jobs, on the simulated clock. */
export async function collect(): Promise<Report> {
  const rows = {
    'pull requests elsewhere': await swept('octo/docs'),
    'in the same repository': await swept('octo/app'),
  }
  const most = (column: keyof Swept) => Math.max(...Object.values(rows).map((row) => row[column]))
  return {
    title: 'Collect',
    note: `A sweep over ${COMMENTS} comments in ${JOBS} threads, whose ${JOBS} jobs have all ended; each answer takes ${ANSWER_MS} ms.`,
    rows,
    goals: [
      { what: 'reads of each job', value: most('reads') / JOBS, limit: 1 },
      { what: 'comments in a minute', value: most('comments a minute'), limit: LIMITS.contents },
      { what: 'points in a minute', value: most('points a minute'), limit: LIMITS.points },
    ],
  }
}

type Swept = Awaited<ReturnType<typeof swept>>

/** The most that falls into any sixty seconds. */
function busiestMinute(entries: readonly RequestEntry[], weight: (entry: RequestEntry) => number): number {
  const sums = entries.map(({ at }) =>
    entries
      .filter((other) => other.at >= at && other.at < at + 60_000)
      .reduce((sum, entry) => sum + weight(entry), 0),
  )
  return Math.max(0, ...sums)
}

async function swept(docsRepository: string) {
  const { emulator, launch } = emulateInProcess({ docsRepository })
  await fill(emulator)
  emulator.clearRequests()
  emulator.faults.add({ times: Number.POSITIVE_INFINITY, fault: { kind: 'delay', ms: ANSWER_MS } })
  const from = emulator.settings.now()
  const result = await runAction({
    action: ACTIONS.collect,
    emulator,
    launch,
    event: { name: 'schedule', payload: {} },
    inputs: access(emulator),
  })
  if (result.outputs.finished !== String(JOBS)) throw new Error(result.log)
  const { requests } = emulator
  const github = requests.filter(({ host }) => host === 'github')
  return {
    pages: github.filter(isPage).length,
    reads: requests.filter(isRead).length,
    'requests a job': github.filter((entry) => !isPage(entry)).length / JOBS,
    'comments a minute': busiestMinute(github.filter(createsContent), () => 1),
    'points a minute': busiestMinute(github, pointsOf),
    minutes: (emulator.settings.now() - from) / 60_000,
  }
}

/** Each thread has its share of the comments; the one that asked has `eyes`, the last one is the status comment. */
async function fill(emulator: Emulator): Promise<void> {
  const { github, service, serviceUrl, settings } = emulator
  for (let thread = 1001; thread <= 1000 + JOBS; thread += 1) {
    service.script.push({ reads: 0 })
    const headers = { authorization: `Bearer ${settings.apiKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ prompt: 'explain' })
    const response = await emulator.fetch(`${serviceUrl}/v2/agent/docs/job`, {
      method: 'POST',
      headers,
      body,
    })
    const { id: job } = (await response.json()) as { id: string }
    github.addIssue({ number: thread })
    const asked = github.addComment(thread, { login: 'alice', body: '/docs explain' })
    github.react(asked, 'eyes', userOf(BOT))
    for (let other = 2; other < COMMENTS / JOBS; other += 1) {
      github.addComment(thread, { login: 'carol', body: `Comment ${other}` })
    }
    const now = settings.now()
    const { apiKey, projectId, repository } = settings
    const record = signRecord(
      {
        state: 'running',
        ending: undefined,
        openParts: [],
        key: `key-${thread}`,
        textDigest: '',
        job: { ...jobWithId(job), status: 'active' },
        note: {},
        round: 0,
        run: '9000001.1',
        waitsMs: 0,
        writtenAt: now,
        requestedAt: now,
        messagedAt: 0,
        wasBusy: false,
        requestedBy: 'alice',
        command: '/docs',
        comment: `issue:${asked.id}`,
        origin: '',
        settings: { preview: false, reviewers: [], labels: [] },
        commitStatus: { name: '', sha: '' },
        head: { sha: '', digest: '', step: '' },
        coversUntil: 0,
        saysCodeEnd: false,
        merged: [],
        authors: [],
        tracking: false,
      },
      { keys: [apiKey], projectId, repositoryId: hash('repository', repository), thread },
    )
    github.addComment(thread, { login: BOT, body: `The docs agent is working.\n\n${record}` })
  }
}
