import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SimulatedClock, simulatedClock } from '../emulator/clock.ts'
import { createEmulator, type Emulator } from '../emulator/emulator.ts'
import type { Fault } from '../emulator/faults.ts'
import type { Host } from '../emulator/http.ts'
import { hash } from '../emulator/random.ts'
import { type EmulatedJob, isTerminal, type Turn } from '../emulator/service/turn.ts'
import type { Call, Life } from './life.ts'
import { CALL_HEADER } from './network.ts'
import { PEOPLE } from './people.ts'
import type { Scope } from './records.ts'
import type { Ask, Story } from './story.ts'

export const ISSUE = 12
export const PULL = 20
/** The layer below it, in a stack. */
const BELOW = 19
/** Of the issue that refreshes report to. */
export const TRACKING_TITLE = 'Docs refresh'
export const REPOSITORY = 'octo/app'
export const ACTION_LOGIN = 'github-actions[bot]'

/** Without sockets, few turns of the event loop show that everybody waits. */
const QUIET_TURNS = 6

/** A pull request that was merged into the branch that the workflows run on. */
export interface Merge {
  readonly number: number
  readonly kind: 'person' | 'bot' | 'agent'
}

/** A time at which a host serves no one, in ms since the epoch. */
interface Outage {
  readonly host: Host
  readonly from: number
  readonly until: number
  readonly fault: Fault
}

/** A prompt when it reached the service. */
export interface Message {
  readonly life: Life
  readonly call: Call
  readonly jobId: string
  readonly at: number
  /** What the pull request of the code changed then. */
  readonly files: readonly string[]
  /** Of this message alone: two workflows can ask the same. */
  readonly turn: Turn
  /** The other jobs that worked then. */
  readonly besides: readonly string[]
}

/** Where a story takes place: the service, GitHub, the time, and who has been there. */
export interface World {
  readonly story: Story
  readonly clock: SimulatedClock
  readonly emulator: Emulator
  /** An empty folder of its own. */
  readonly workspace: string
  readonly timeline: string[]
  readonly note: (line: string) => void
  /** Faults by name, as they struck. */
  readonly faults: Map<string, number>
  readonly outages: Outage[]
  readonly lives: Life[]
  /** The job of a stranger, which no request of the story may ever touch. */
  readonly foreignJob: string
  /** Signs what threads remember. */
  memoryKey: string
  /** Threads in which people have laid hands on comments of the action, or have locked it. */
  readonly touched: Set<number>
  /** When the one who may lose the permission to write lost it; `Infinity` for never. */
  leftAt: number
  /** Pull requests that were merged, in order. */
  readonly merges: Merge[]
  readonly messages: Message[]
  /** How the agent's turn goes that this process asks for; undefined where it sends what failed. */
  turnOf: (life: Life | undefined, prompt: string) => Turn | undefined
  /** What happens when the agent opens a pull request in the workflow's repository. */
  onAgentPull: (number: number) => void
  /** Lets one of the requests go that are about to be sent at the same time. */
  readonly whoseTurn: (request: string) => Promise<unknown>
  /** What people and others have done meanwhile, by name. */
  readonly interferences: string[]
  close(): void
}

/** @param whoseTurn by default each request goes at once */
export async function openWorld(
  story: Story,
  whoseTurn: World['whoseTurn'] = async () => {},
): Promise<World> {
  const clock = simulatedClock(Date.UTC(2026, 0, 5, 9), QUIET_TURNS)
  const start = clock.now()
  const { docsRepository, permissions, seed } = story
  const emulator = createEmulator({
    now: clock.now,
    sleep: clock.sleep,
    seed,
    docsRepository,
    permissions,
    prAuthor: story.agentLogin,
    prApp: story.agentSign === 'app' ? 'mintlify' : undefined,
    prCommitAuthor: story.agentSign === 'commits' ? 'mintlify[bot]' : undefined,
  })
  const timeline: string[] = []
  const note = (line: string) => void timeline.push(`${stamp(clock.now() - start)}  ${line}`)
  const workspace = mkdtempSync(join(tmpdir(), 'docs-agent-story-'))
  const world: World = {
    story,
    clock,
    emulator,
    workspace,
    timeline,
    note,
    faults: new Map(),
    outages: [],
    lives: [],
    foreignJob: await plantForeignJob(emulator),
    memoryKey: 'test-memory-of-the-workflow',
    touched: new Set(),
    leftAt: Number.POSITIVE_INFINITY,
    merges: [],
    messages: [],
    turnOf: () => ({}),
    onAgentPull: () => {},
    whoseTurn,
    interferences: [],
    close: () => rmSync(workspace, { recursive: true, force: true }),
  }
  people(world)
  watchAgent(world)
  return world
}

/** Since the beginning: `2+12:03:04.005` is on the third day. */
const stamp = (ms: number): string =>
  `${Math.floor(ms / 86_400_000)}+${new Date(ms).toISOString().slice(11, -1)}`

async function plantForeignJob(emulator: Emulator): Promise<string> {
  const response = await emulator.fetch(`${emulator.serviceUrl}/v2/agent/docs/job`, {
    method: 'POST',
    headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'somebody else asks' }),
  })
  const { id } = (await response.json()) as { id: string }
  return id
}

function people({ emulator, story }: World): void {
  const { github } = emulator
  for (const [login, { role }] of Object.entries(PEOPLE)) github.setPermission(login, role)
  const { title, body } = story
  github.addIssue({ number: ISSUE, title, body, user: 'carol' })
  github.addIssue({ number: 13, title: 'Another thread', user: 'mallory' })
  const patch = `@@ -1 +1 @@\n-old\n+${title}`
  const pull = { number: PULL, title, body, user: 'carol', files: [{ filename: 'src/retry.ts', patch }] }
  const below = {
    number: BELOW,
    title: 'The layer below',
    user: 'carol',
    files: [{ filename: 'src/below.ts', patch }],
  }
  if (story.isStacked) github.addStack([below, pull])
  else github.addPullRequest(pull)
  for (let n = 0; n < story.crowd; n++) {
    github.addComment(n % 3 === 0 ? PULL : ISSUE, { login: 'carol', body: `An opinion, number ${n}` })
  }
}

/** Tells when the agent opens a pull request, and notes what stood where when it got a prompt. */
function watchAgent(world: World): void {
  const { emulator, story } = world
  const { github, service } = emulator
  const add = github.addPullRequest.bind(github)
  github.addPullRequest = (pull) => {
    const added = add(pull)
    const isAgents = pull?.headRef?.startsWith('docs-agent/') === true
    if (isAgents && (pull?.repo ?? REPOSITORY) === REPOSITORY) world.onAgentPull(added.number)
    return added
  }
  service.everyTurn = (prompt) => {
    // The status of the code goes out beside it.
    const isToAgent = ({ host, method }: (typeof emulator.requests)[number]) =>
      host === 'service' && method === 'POST'
    const { headers = {}, path = '' } = emulator.requests.findLast(isToAgent) ?? {}
    const messaged = /\/job\/([^/]+)\/message$/.exec(path)?.[1]
    const job = messaged === undefined ? service.jobs().at(-1) : service.job(decodeURIComponent(messaged))
    const callId = headers[CALL_HEADER] ?? ''
    const life = world.lives.find(({ name }) => name === callId.slice(0, callId.lastIndexOf('#')))
    const { fixTurns, seed } = story
    const nth = world.messages.length + 1
    const drawn = world.turnOf(life, prompt) ?? fixTurns[hash(seed, 'fix', nth) % fixTurns.length] ?? {}
    const isQueued = job !== undefined && service.openTurns(job.id).length > 0
    // Behind another turn it lasts until a reader sees it: else two ends with a pause after each look like one that stands.
    const turn = isQueued ? { ...drawn, durationMs: Math.max(drawn.durationMs ?? 0, SEEN_MS) } : { ...drawn }
    const files = github.pull(PULL).files.map(({ filename }) => filename)
    const call = life?.calls.find(({ id }) => id === callId)
    const works = ({ id, status }: EmulatedJob) => !isTerminal(status) || service.openTurns(id).length > 0
    const besides = service.jobs().flatMap((one) => (one !== job && works(one) ? one.id : []))
    if (job !== undefined && life !== undefined && call !== undefined)
      world.messages.push({ life, call, jobId: job.id, at: world.clock.now(), files, turn, besides })
    return turn
  }
  if (story.checks.length > 0)
    github.checks.everyHead = (sha) => story.checks[hash(story.seed, sha) % story.checks.length] ?? []
}

/** No reader of a job pauses for longer. */
const SEEN_MS = 20_000

/** The head of a pull request of the agent then; '' for none. */
export const headAt = ({ emulator, story }: World, number: number, at: number): string =>
  emulator.github.pull(number, story.docsRepository).commits.findLast((commit) => Date.parse(commit.at) <= at)
    ?.sha ?? ''

/** The agent's own pull requests, in order. */
export const agentPulls = ({ emulator, story }: World): number[] =>
  [...emulator.github.repo(story.docsRepository).pulls.values()]
    .filter(({ head }) => head.ref.startsWith('docs-agent/'))
    .map(({ number }) => number)

/** Tracking issues that the action has created, in order. */
export const trackingIssues = ({ emulator }: World) =>
  [...emulator.github.repo().issues.values()].filter(
    ({ title, user, isPullRequest }) =>
      title === TRACKING_TITLE && user.login === ACTION_LOGIN && !isPullRequest,
  )

export const repositoryId = ({ emulator }: World): number => emulator.github.repo().id

export const scopeOf = (world: World, thread: number): Scope => ({
  secret: world.memoryKey,
  projectId: 'docs',
  repositoryId: repositoryId(world),
  thread,
})

/** Every thread of the workflow's repository. */
export const threadsOf = ({ emulator }: World): number[] => [...emulator.github.repo().issues.keys()]

/** Comments that the action itself has written. */
export const written = ({ emulator }: World, thread: number) =>
  emulator.github.comments(thread).filter(({ user }) => user.login === ACTION_LOGIN)

export const accessOf = ({ emulator, memoryKey }: World) => ({
  'project-id': 'docs',
  'api-key': emulator.service.apiKey,
  'memory-key': memoryKey,
  'github-token': 'test-token',
  'base-url': emulator.serviceUrl,
})

/** @returns with the youngest job where the ask names a known one */
export function inputsOf(world: World, { inputs }: Ask): Readonly<Record<string, string>> {
  const { 'job-id': jobId, ...rest } = inputs
  const jobs = world.emulator.service.jobs()
  const known = jobs.length > 1 ? (jobs.at(-1)?.id ?? '') : ''
  return {
    ...{ ...accessOf(world), ...world.story.inputs, ...rest },
    ...(jobId !== undefined && { 'job-id': jobId === 'known' ? known : jobId }),
  }
}
