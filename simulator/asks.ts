import type { Absence, Turn } from '../emulator/service/turn.ts'
import type { Dice, Weighted } from './dice.ts'
import { BOTS, PEOPLE, type Person } from './people.ts'
import { type Ask, EVENTS, type EventKind, type MergedKind, PATHS, undisturbed } from './story.ts'
import { HOSTILE, inlineText, ODD_LINKS } from './texts.ts'
import { TRACKING_TITLE } from './world.ts'

// One request: who asks, how, with which inputs, and what the agent makes of it.

type Inputs = Readonly<Record<string, string>>

const MINUTE = 60_000

export function ask(dice: Dice, n: number): Ask {
  const event = dice.of('event').chance(0.4) ? 'command' : dice.of('event', 'which').pick(EVENTS)
  const author = person(dice.of('author'))
  const id = `ask-${n}`
  const end = dice.of('end').chance(0.8) ? 'soon' : dice.of('end', 'which').pick(HOSTILE)
  return {
    id,
    event,
    on: dice.of('on').name({ issue: 6, pull: 2, agent: 2 }),
    author,
    sender: dice.of('sender').chance(0.95) ? author : person(dice.of('sender', 'who')),
    words: `explain ${inlineText(dice.of('words'))} (${id};) ${end}`,
    inputs: inputs(dice.of('inputs'), event),
    workflow: 'Docs',
    merges: event === 'push' ? merges(dice.of('merges')) : [],
    folder: dice.of('folder').name({ src: 3, test: 1 }),
    turn: turn(dice.of('turn')),
    attempts: [undisturbed(0)],
  }
}

const person = (dice: Dice): string =>
  dice.weighted<string>([
    ['alice', 10],
    ['bob', 2],
    [dice.pick(Object.keys(PEOPLE) as [Person, ...Person[]]), 3],
    [dice.pick(BOTS), 1],
  ])

function merges(dice: Dice): readonly MergedKind[] {
  const kinds = ['person', 'person', 'person', 'bot', 'agent', 'direct'] as const
  return Array.from({ length: dice.chance(0.2) ? 0 : dice.whole(1, 3) }, () => dice.pick(kinds))
}

/** Inputs that a workflow may give, by how often, with their values. */
const INPUTS: Readonly<Record<string, readonly [chance: number, ...values: [string, ...string[]]]>> = {
  conversation: [0.08, 'continue', 'skip', 'new'],
  comment: [0.08, 'update', 'update', 'off'],
  wait: [0.08, 'false'],
  'on-timeout': [0.08, 'warn'],
  'min-permission': [0.08, 'none', 'read', 'triage', 'maintain', 'admin'],
  'allowed-bots': [0.08, 'renovate[bot]', 'renovate[bot], mintlify[bot]'],
  guidelines: [0.08, 'none'],
  context: [0.08, 'false'],
  'fix-attempts': [0.2, '2'],
  'commit-status': [0.3, 'docs'],
  'job-id': [0.02, 'known', 'j_unknown', '..'],
  'dry-run': [0.02, 'true'],
  'timeout-minutes': [0.01, 'soon'],
  'api-key': [0.01, ''],
}

const inputs = (dice: Dice, event: EventKind): Inputs => ({
  ...timeout(dice.of('limit')),
  ...(THREADLESS.includes(event) ? threadInputs(dice.of('thread')) : {}),
  ...(event === 'push' && paths(dice.of('paths'), 0.4)),
  ...finishing(dice.of('finishing'), 0.3),
  ...Object.fromEntries(
    Object.entries(INPUTS).flatMap(([name, [chance, ...values]]) =>
      dice.of(name).chance(chance) ? [[name, dice.of(name, 'which').pick(values)]] : [],
    ),
  ),
})

export const timeout = (dice: Dice): Inputs => ({
  'timeout-minutes': dice.pick(['50', '50', '50', '10', '120']),
})

/** Which files count; without it, all of them. */
export const paths = (dice: Dice, chance: number): Inputs =>
  dice.chance(chance) ? { paths: dice.of('which').pick(Object.keys(PATHS) as [string, ...string[]]) } : {}

/** What becomes of the pull request, besides being opened. */
export const finishing = (dice: Dice, chance: number): Inputs => ({
  ...(dice.of('reviewers').chance(chance) && {
    reviewers: dice.pick(['requester', 'requester, bob', 'maya, nobody-there', 'octo/writers, bob']),
  }),
  ...(dice.of('labels').chance(chance) && {
    labels: dice.of('label').pick(['docs', 'docs, needs review', '@mallory']),
  }),
})

const THREADLESS: readonly EventKind[] = ['schedule', 'dispatch', 'push', 'release']

/** Where an event that names no thread reports to. */
const threadInputs = (dice: Dice): Inputs =>
  dice.weighted<Inputs>([
    [{ 'issue-number': dice.pick(['12', '20', '4711']) }, 3],
    [{ 'issue-title': TRACKING_TITLE }, 2],
    [{}, 4],
  ])

/** What the agent makes of a prompt. */
function turn(dice: Dice): Turn {
  const answerStatus = dice.of('answer').weighted<string | undefined>([
    [undefined, 20],
    ['completed', 1],
    ['failed', 0.3],
    ['queued', 1],
    ['', 0.2],
  ])
  const pr = dice.of('pr').weighted<Turn['pr']>([
    [undefined, 12],
    ['none', 3],
    [null, 0.2],
    [dice.of('pr', 'odd').pick(ODD_LINKS), 0.5],
  ])
  const by = (name: string, chance: number, make: (own: Dice) => Turn): Turn =>
    dice.of(name).chance(chance) ? make(dice.of(name, 'which')) : {}
  return {
    durationMs: dice.spread(5000, 20 * MINUTE),
    ending: dice.of('ending').name({ completed: 12, failed: 1, archived: 0.3, 'active-forever': 0.3 }),
    ...(pr !== undefined && { pr }),
    // Answer and reads may both be of the turn before.
    ...(answerStatus === 'completed' && { staleReads: dice.of('stale').whole(0, 2) }),
    ...(answerStatus !== undefined && { answerStatus }),
    ...by('opens', 0.4, (own) => ({ opensAfterMs: own.spread(1000, 10 * MINUTE) })),
    ...by('late', 0.2, (own) => ({ lateCommitAfterMs: own.spread(500, 50_000) })),
    ...by('conflicts', 0.08, () => ({ change: { conflicts: true } })),
    ...by('missing', 0.03, (own) => ({ notFound: absence(own) })),
    ...by('status', 0.05, (own) => ({ activeStatus: own.pick(['queued', '::error::status', '##[error]s']) })),
    ...by('fields', 0.1, (own) => ({ fields: oddFields(own) })),
  }
}

/** What the agent makes of failures: a commit with the end of its turn, or up to 50 s later, or none. */
export const fixTurn = (dice: Dice): Turn => ({
  durationMs: dice.spread(1000, 10 * MINUTE),
  ...(dice.chance(0.7) && { change: { conflicts: false } }),
  ...dice.weighted<Turn>([
    [{}, 4],
    [{ pr: 'none', lateCommitAfterMs: dice.spread(500, 50_000) }, 4],
    [{ pr: 'none' }, 1],
    [{ ending: 'failed' }, 0.5],
  ]),
})

/** A read that does not find the job, or half a minute of them; the next one does. */
const absence = (dice: Dice): Absence => ({
  ...(dice.chance(0.5) ? { afterReads: dice.whole(0, 4) } : { afterMs: dice.spread(1000, 60 * MINUTE) }),
  ...(dice.chance(0.5) && { ms: dice.spread(1000, 29_000) }),
})

const odd = (dice: Dice): Weighted<unknown> => [
  [dice.pick(HOSTILE), 4],
  ['the key is test-key', 2],
  [null, 1],
  [undefined, 1],
  [{ repository: dice.pick(HOSTILE), ref: '::error::test-key' }, 2],
  [[1, 2], 1],
]

const oddFields = (dice: Dice): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    ['model', 'source', 'createdAt', 'archivedAt', 'extra'].flatMap((name) =>
      dice.chance(0.5) ? [[name, dice.weighted<unknown>(odd(dice))]] : [],
    ),
  )
