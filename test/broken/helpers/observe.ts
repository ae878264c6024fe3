import { recordIn, withoutRecord } from '../../../simulator/records.ts'
import type { Stage } from '../../../simulator/stage.ts'
import { REPOSITORY, scopeOf, threadsOf, type World } from '../../../simulator/world.ts'

/** What people, the agent and later steps see. */
export interface Seen {
  /** Of each process: how it ended, its outputs, its warnings and errors. */
  readonly runs: unknown
  /** Threads with what stands in them, and the reactions to what people asked. */
  readonly github: unknown
  /** With their prompts. */
  readonly jobs: unknown
}

export function seenIn({ world, history }: Stage): Seen {
  const runs = world.lives.map(({ name, red, fate, footprint, meant }) => {
    const outputs = Object.fromEntries([...footprint.outputs].filter(([output]) => output !== 'result'))
    const annotations = meant.filter((one) => one.name === 'warning' || one.name === 'error')
    return [name, { fate, red, outputs, annotations }] as const
  })
  const reactions = history.requests.flatMap(({ name, event: { comment } }) =>
    comment === undefined ? [] : [[`reactions to ${name}`, reactionsTo(world, comment)] as const],
  )
  const threads = threadsOf(world).map((number) => [`#${number}`, threadSeen(world, number)] as const)
  const jobs = world.emulator.service
    .jobs()
    .map(({ id, status, prLink, prompts }) => ({ id, status, prLink, prompts }))
  const github = Object.fromEntries([...reactions, ...threads])
  return JSON.parse(timeless(JSON.stringify({ runs: Object.fromEntries(runs), github, jobs }))) as Seen
}

const reactionsTo = ({ emulator }: World, { kind, id }: { kind: 'issue' | 'review'; id: number }) =>
  emulator.github.reactions(kind, id).map(({ content, user }) => `${content} by ${user.login}`)

function threadSeen(world: World, number: number) {
  const { github } = world.emulator
  const repository = github.repository(REPOSITORY)
  const issue = repository?.issues.get(number)
  const pull = repository?.pulls.get(number)
  return {
    state: issue?.state,
    labels: issue?.labels,
    reviewers: pull?.requestedReviewers,
    // Of a status whose answer was lost, the newest counts.
    status: pull && github.statuses(pull.head.sha).at(-1),
    body: textSeen(world, number, issue?.body ?? ''),
    comments: github
      .comments(number)
      .map(({ user, body }) => ({ by: user.login, ...textSeen(world, number, body) })),
  }
}

function textSeen(world: World, thread: number, body: string) {
  const record = recordIn(body, scopeOf(world, thread))
  if (record === undefined) return { text: body }
  const { kind, key, requestedBy, jobId, jobStatus, prLink } = record
  return { text: withoutRecord(body), record: { kind, key, requestedBy, jobId, jobStatus, prLink } }
}

/**
 * Less what may differ where something took longer or was tried again: times, durations, ids of comments, and the
 * boundary of a fence. Nothing else may.
 */
const timeless = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/g, 'TIME')
    .replaceAll(/\b\d\d:\d\d UTC/g, 'TIME')
    .replaceAll(/(?<= · )(\d+ (h|min|s) ?)+(?= · )/g, 'DURATION')
    .replaceAll(/(?<="duration-seconds":")\d+/g, 'DURATION')
    .replaceAll(/(?<=#(issuecomment-|discussion_r))\d+/g, 'ID')
    .replaceAll(/(?<==== (end of )?reference )[a-z\d]{20}/g, 'BOUNDARY')
    .replaceAll(/(?<=actions\/runs\/\d+)\/attempts\/\d+/g, '')

/** What is not the same, a line each. */
export function differences(expected: unknown, actual: unknown, where = ''): string[] {
  if (Object.is(expected, actual)) return []
  if (!isObject(expected) || !isObject(actual)) return [`${where}: ${bothFrom(expected, actual)}`]
  return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap((key) =>
    differences(expected[key], actual[key], where === '' ? key : `${where}.${key}`),
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const MOST_SHOWN = 160

/** Of two long texts, the place where they part. */
function bothFrom(expected: unknown, actual: unknown): string {
  const [want, got] = [expected, actual].map((value) => JSON.stringify(value) ?? 'nothing') as [
    string,
    string,
  ]
  const parts = [...want].findIndex((character, n) => character !== got[n])
  const from = want.length > MOST_SHOWN && got.length > MOST_SHOWN ? Math.max(0, parts - 20) : 0
  const shown = (text: string) => text.slice(from, from + MOST_SHOWN)
  return `${shown(got)}, not ${shown(want)}`
}
