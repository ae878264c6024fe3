import fc from 'fast-check'
import { often, sometimes, spread } from './draw.ts'
import { isAtWork } from './history.ts'
import { agentPulls, PULL, REPOSITORY, repositoryId, type World } from './world.ts'

// Events that wake a sweep because something changed on a pull request: how a story draws them, and how GitHub sends them.

const MINUTE = 60_000

type EventName = 'workflow_run' | 'check_suite' | 'status' | 'repository_dispatch' | 'pull_request'

/** What wakes a sweep. */
export interface SweepEvent {
  readonly event: EventName
  /**
   * The agent's latest pull request, or its first one; that of a person; one whose head is in a fork, or whose branch is gone. Of
   * the latest one also a workflow that somebody has cancelled.
   */
  readonly about: 'agent' | 'first' | 'person' | 'fork' | 'gone' | 'cancelled'
  /** How much later than the act it comes, in ms. */
  readonly delayMs: number
  /** It comes at once, after the turns of all jobs, or after these and the checks of the head. */
  readonly after: 'nothing' | 'turns' | 'checks'
}

/** What wakes a sweep, as GitHub sends it. */
export interface GitHubEvent {
  readonly name: string
  readonly payload: object
  /** Pull requests that it names here; undefined where it is about none in particular. */
  readonly names: readonly number[] | undefined
  /** GitHub gives the secrets to no run of a pull request from a fork. */
  readonly hasSecrets: boolean
}

/** @param about weights */
export const sweepEvent = (about: Readonly<Record<SweepEvent['about'], number>>): fc.Arbitrary<SweepEvent> =>
  fc
    .record({
      event: often<EventName>({
        ...{ workflow_run: 6, status: 2, pull_request: 2, repository_dispatch: 1, check_suite: 1 },
      }),
      about: often(about),
      delayMs: sometimes(50, spread(50, 5 * MINUTE)),
      after: often<SweepEvent['after']>({ checks: 8, turns: 5, nothing: 2 }),
    })
    .map(({ delayMs = 0, ...drawn }) => ({ ...drawn, delayMs }))

/** CI ends: once, twice or several times, as each of its workflows says. */
export const sweepEvents: fc.Arbitrary<readonly SweepEvent[]> = fc
  .tuple(
    sweepEvent({ agent: 12, first: 2, person: 1, fork: 1, gone: 1, cancelled: 2 }),
    often({ once: 5, twice: 4, several: 2 }),
    fc.array(sweepEvent({ agent: 8, first: 4, person: 1, fork: 1, gone: 1, cancelled: 1 }), {
      minLength: 3,
      maxLength: 3,
      size: 'max',
    }),
    fc.constantFrom(0, 0, 50, 150, 300, 3000),
  )
  .map(([first, many, more, apartMs]) => {
    if (many === 'once') return [first]
    if (many === 'twice') return [first, { ...first, delayMs: first.delayMs + apartMs }]
    return [first, ...more.map((one) => ({ ...one, delayMs: first.delayMs, after: first.after }))]
  })

/** Longer than most turns and checks take. */
const MOST_WAITED_MS = 30 * MINUTE
const LOOK_MS = 10_000

/** Waits for what it comes after, or until that takes too long. */
export async function waitForEvent(world: World, { about, after }: SweepEvent): Promise<void> {
  const { clock, emulator, story, foreignJob } = world
  const { github, service } = emulator
  const until = clock.now() + MOST_WAITED_MS
  const isAwaited = (): boolean => {
    service.tick()
    if (service.jobs().some(({ id }) => id !== foreignJob && isAtWork(world, id))) return true
    const number = namedBy(world, about)
    if (number === undefined || after === 'turns') return false
    const { head } = github.pull(number, story.docsRepository)
    const checks = github.repo(story.docsRepository).checks.get(head.sha) ?? []
    return checks.some(({ endsAt }) => endsAt > clock.now() && endsAt <= until)
  }
  while (after !== 'nothing' && clock.now() < until && isAwaited()) await clock.sleep(LOOK_MS)
}

/** The agent's pull request that it is about; undefined for none. */
function namedBy(world: World, about: SweepEvent['about']): number | undefined {
  const pulls = agentPulls(world)
  if (about === 'first') return pulls[0]
  return about === 'person' ? undefined : pulls.at(-1)
}

/** No pull request of a record, although the one of a job that works may be anywhere. */
const ELSEWHERE = 0

/** As GitHub sends it then. */
export function gitHubEventOf(world: World, { event, about }: SweepEvent): GitHubEvent {
  const { emulator, story } = world
  const { github, shown } = emulator
  const isHere = story.docsRepository === REPOSITORY
  const number = namedBy(world, about)
  // Events of CI come from the repository of the workflow alone.
  const known = isHere || event === 'repository_dispatch' ? number : undefined
  const { head } = github.pull(known ?? PULL, known === undefined ? REPOSITORY : story.docsRepository)
  const repo = { id: repositoryId(world), full_name: REPOSITORY }
  const from = about === 'fork' ? { id: repo.id + 1, full_name: 'mallory/app' } : repo
  const pulls = about === 'gone' ? [] : [{ number: known ?? PULL, head: { repo: from }, base: { repo } }]
  const isNamed = about !== 'fork' && about !== 'gone' && (event !== 'status' || known !== undefined)
  const here = isNamed ? [known ?? PULL] : []
  const names = event === 'repository_dispatch' && !isNamed ? [ELSEWHERE] : here
  const sender = shown.user('mallory')
  const conclusion = about === 'cancelled' ? 'cancelled' : 'success'
  const payloads: Readonly<Record<EventName, () => object>> = {
    workflow_run: () => ({
      action: 'completed',
      workflow_run: {
        ...{ id: 1, event: 'pull_request', conclusion, head_repository: from, pull_requests: pulls },
        actor: shown.user('mintlify[bot]'),
      },
    }),
    check_suite: () => ({ action: 'completed', check_suite: { id: 3, conclusion, pull_requests: pulls } }),
    status: () => {
      // A branch of a fork, and one that is gone, stand in no list of this repository.
      const branches =
        from === repo && about !== 'gone' ? [{ name: head.ref, commit: { sha: head.sha } }] : []
      return { sha: head.sha, state: conclusion === 'success' ? 'success' : 'error', context: 'ci', branches }
    },
    repository_dispatch: () => {
      const named = about === 'gone' ? 9999 : (known ?? PULL)
      const repository =
        about === 'fork' ? 'mallory/app' : known === undefined ? REPOSITORY : story.docsRepository
      const link = `https://github.com/${repository}/pull/${named}`
      return { action: 'docs-checked', client_payload: { 'pull-request': link } }
    },
    pull_request: () => {
      const pull = shown.pull(known ?? PULL)
      const headOf = { ...pull.head, repo: { ...pull.head.repo, ...from, fork: from !== repo } }
      return { action: 'synchronize', pull_request: { ...pull, head: headOf } }
    },
  }
  const payload = { ...payloads[event](), repository: shown.repository(), sender }
  const isPull = event === 'pull_request'
  return { name: event, payload, names: isPull ? undefined : names, hasSecrets: !isPull || from === repo }
}
