import {
  allSentBy,
  canRemember,
  countedFiles,
  type History,
  isAtWork,
  isHit,
  isNamed,
  mayHaveLaterTurn,
  type Request,
  sentBy,
  strangersOf,
} from '../history.ts'
import { endOfLatest } from '../latest.ts'
import type { Life } from '../life.ts'
import { PULL, type World } from '../world.ts'
import type { Rule } from './rule.ts'

// The status of the pull request of the code.

/** The status of a head is that of the latest request about it, or about these changes. */
const latestDecides: Rule = {
  promise: 'H5',
  name: 'latest-decides',
  // What is not said yet, a sweep says; but nothing is green in between.
  afterMain: ({ history, world }) =>
    world.lives.every(({ fate }) => fate) ? statusComplaints(history, ['success']) : [],
  afterSweeps: (history) => statusComplaints(history, ['success', 'failure', 'error', 'pending', 'none']),
}

/** What a status may say, by how the latest request ended. What people archive says nothing of that. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  skipped: ['success'],
  'at work': ['failure', 'error', 'pending', 'none'],
  failed: ['failure', 'error'],
  archived: ['failure', 'error'],
  completed: ['success'],
}

/** What the newest head shows, where people can tell what it is to show. */
interface Head {
  readonly state: string
  readonly description: string
  /** Requests that decide it. */
  readonly asked: readonly Request[]
  readonly files: readonly string[]
}

function headOf(history: History): Head | undefined {
  const { world, requests } = history
  const { github } = world.emulator
  const { head, files } = github.pull(PULL)
  // Others cannot know of a request that writes no comments.
  const isKnown = requests.every((one) => one.inputs['commit-status'] !== 'docs' || canRemember(history, one))
  const isOpen = world.story.permissions.statuses === 'write' && github.issue(PULL).state === 'open'
  const asked = requests.filter((request) => request.thread === PULL && hasStatus(history, request))
  // No run has been there for a head of which no event told, and none that lived to say anything.
  const isTold = asked.some(
    ({ event, runs }) => event.head === head.sha && runs.some(({ main }) => saidAny(main)),
  )
  if (!isKnown || !isOpen || !isTold || world.touched.has(PULL)) return undefined
  return { ...shownAt(world, head.sha), asked, files: files.map(({ filename }) => filename) }
}

const shownAt = ({ emulator: { github } }: World, sha: string) => {
  const own = github.statuses(sha).filter(({ context }) => context === 'docs')
  const { state = 'none', description = '' } = own.at(-1) ?? {}
  return { state, description }
}

/** @param looked the states that are looked at */
function statusComplaints(history: History, looked: readonly string[]): string[] {
  const head = headOf(history)
  if (head === undefined) return []
  const { state, description, asked, files } = head
  const ended = endOfLatest(history, asked, files)
  const isOfEarlier =
    /^Not known whether it was finished/.test(description) && isAskedLaterSentFirst(history, asked)
  const isRight = isOfEarlier || !looked.includes(state) || STATES[ended]?.includes(state) !== false
  return isRight ? [] : [`the head of #${PULL} is ${state} (${description}), and the latest is ${ended}`]
}

/** Of two requests for one job, the one that people asked later went out first: of its turn, the job tells that it is over. */
function isAskedLaterSentFirst(history: History, asked: readonly Request[]): boolean {
  const sent = asked.flatMap((request) => sentBy(history, [request])).toSorted((a, b) => a.at - b.at)
  const last = sent.at(-1)
  return sent.some(
    (one) =>
      one !== last &&
      one.jobId === last?.jobId &&
      one.run.main.bornAt > last.run.main.bornAt &&
      mayHaveLaterTurn(history.world, one.jobId, one.at),
  )
}

const saidAny = ({ fate, cancelledAt, calls }: Life): boolean =>
  (fate === 'ended' && cancelledAt === undefined) || calls.some(({ method }) => method !== 'GET')

const hasStatus = (history: History, request: Request): boolean =>
  request.inputs['commit-status'] === 'docs' &&
  // A push is about no head of a pull request.
  request.event.name !== 'push' &&
  strangersOf(request).length === 0 &&
  canRemember(history, request)

/** What a head that waits may say, and whether that is so: a job works, checks have no verdict, or a person has to ask. */
const WAITS: readonly (readonly [words: RegExp, isSo: (history: History, head: Head) => boolean])[] = [
  [
    /^The docs agent is working$/,
    (history, { asked }) => allSentBy(history, asked).some(({ jobId }) => isAtWork(history.world, jobId)),
  ],
  [
    /, whose checks (have no known verdict|could not be read): re-run /,
    (_, { asked }) => asked.some(followsChecks),
  ],
  [
    /: its checks are looked at when CI ends, or at the next sweep$/,
    (_, { asked }) => asked.some(followsChecks),
  ],
  [/ documents what is gone: close it and re-run, or \/docs /, (_, { files }) => files.length === 0],
  [/^Not known whether .* re-run if the dashboard lacks it, \/docs /, ({ world }) => world.lives.some(isHit)],
  [/^Changed by \S+: a push by a person, \/docs /, (_, { asked }) => asked.length > 0],
  [
    /^\S+ set a label but may not ask: a label by a person who may, \/docs /,
    ({ requests }) => requests.some((one) => one.ask.event === 'code-labeled' && strangersOf(one).length > 0),
  ],
  [/ worked on another request: re-run, or \/docs /, (_, { asked }) => asked.some(waitsForNone)],
]

const followsChecks = ({ inputs }: Request): boolean => Number(inputs['fix-attempts'] ?? 0) > 0

const waitsForNone = ({ inputs }: Request): boolean => inputs.conversation === 'skip'

/** Once sweeps have been, a head waits only for what it names. */
const waitsForWhatItNames: Rule = {
  promise: 'H5',
  name: 'waits-for-what-it-names',
  afterSweeps(history) {
    const head = headOf(history)
    if (head?.state !== 'pending') return []
    const isSo = WAITS.some(([words, is]) => words.test(head.description) && is(history, head))
    return isSo ? [] : [`the head of #${PULL} waits, and it is not so: ${head.description}`]
  },
}

/** Nothing is green over changes that the agent never had. */
const greenOverChanges: Rule = {
  promise: 'H5',
  name: 'no-green-over-changes',
  afterMain: ({ history, world }) => (world.lives.every(({ fate }) => fate) ? greenComplaints(history) : []),
  afterSweeps: (history) => greenComplaints(history),
}

function greenComplaints(history: History): string[] {
  const { world, requests } = history
  const { head, files } = world.emulator.github.pull(PULL)
  const { state, description } = shownAt(world, head.sha)
  const names = files.map(({ filename }) => filename)
  const asked = requests.filter(({ thread }) => thread === PULL)
  const isIdle = asked.some(({ inputs }) => !names.some((name) => isNamed(inputs.paths, name)))
  const isHad = allSentBy(history, asked).some((sent) => sent.files === countedFiles(sent.request, names))
  const isSkipped = asked.some(({ ask }) => ask.event === 'skip') && /^Skipped by /.test(description)
  const isSo = isSkipped || (/^No file changed/.test(description) ? isIdle : isHad)
  return state !== 'success' || isSo ? [] : [`the head of #${PULL} is green: ${description}`]
}

export const H5_STATUS: readonly Rule[] = [latestDecides, waitsForWhatItNames, greenOverChanges]
