import fc from 'fast-check'
import type { Absence, Turn } from '../emulator/service/turn.ts'
import { either, often, present, record, sometimes, spread } from './draw.ts'
import { BOTS, PEOPLE, type Person } from './people.ts'
import { type Drawn, EVENTS, type EventKind, PATHS, undisturbed } from './story.ts'
import { HOSTILE, hostile, inlineText, ODD_LINKS } from './texts.ts'
import { TRACKING_TITLE } from './world.ts'

// One request: who asks, how, with which inputs, and what the agent makes of it.

type Inputs = Readonly<Record<string, string>>

const MINUTE = 60_000

const person: fc.Arbitrary<string> = either<string>(
  [10, fc.constant('alice')],
  [2, fc.constant('bob')],
  [3, fc.constantFrom(...(Object.keys(PEOPLE) as Person[]))],
  [1, fc.constantFrom(...BOTS)],
)

/** Inputs that a workflow may give, by how many times in a hundred, with their values. */
const INPUTS: Readonly<Record<string, readonly [percent: number, ...values: [string, ...string[]]]>> = {
  conversation: [8, 'continue', 'skip', 'new'],
  comment: [8, 'update', 'update', 'off'],
  wait: [8, 'false'],
  'on-timeout': [8, 'warn'],
  'min-permission': [8, 'none', 'read', 'triage', 'maintain', 'admin'],
  'allowed-bots': [8, 'renovate[bot]', 'renovate[bot], mintlify[bot]'],
  guidelines: [8, 'none'],
  context: [8, 'false'],
  'fix-attempts': [20, '2'],
  'commit-status': [30, 'docs'],
  'job-id': [2, 'known', 'j_unknown', '..'],
  'dry-run': [2, 'true'],
  'timeout-minutes': [1, 'soon'],
  'api-key': [1, ''],
}

export const timeout = fc.constantFrom('50', '50', '50', '10', '120')
/** Which files count; without it, all of them. */
export const paths = fc.constantFrom(...Object.keys(PATHS))

/** What becomes of the pull request, besides being opened. */
export const finishing = {
  reviewers: sometimes(
    30,
    fc.constantFrom('requester', 'requester, bob', 'maya, nobody-there', 'octo/writers, bob'),
  ),
  labels: sometimes(30, fc.constantFrom('docs', 'docs, needs review', '@mallory')),
}

export const inputs = (
  model: Readonly<Record<string, fc.Arbitrary<string | undefined>>>,
): fc.Arbitrary<Inputs> => fc.record(model).map((drawn) => present(drawn) as Inputs)

const anyInputs = inputs({
  ...{ 'timeout-minutes': timeout, ...finishing },
  ...Object.fromEntries(
    Object.entries(INPUTS).map(([name, [percent, ...values]]) => [
      name,
      sometimes(percent, fc.constantFrom(...values)),
    ]),
  ),
}).map((drawn) => ({ 'timeout-minutes': '50', ...drawn }))

const THREADLESS: readonly EventKind[] = ['schedule', 'dispatch', 'push', 'release']

/** Where an event that names no thread reports to. */
const threadInputs = either<Inputs>(
  [4, fc.constant({})],
  [3, fc.constantFrom('12', '20', '4711').map((number) => ({ 'issue-number': number }))],
  [2, fc.constant({ 'issue-title': TRACKING_TITLE })],
)

/** A read that does not find the job, or half a minute of them; the next one does. */
const absence = record<Absence>({
  afterReads: sometimes(50, fc.nat(4)),
  afterMs: sometimes(50, spread(1000, 60 * MINUTE)),
  ms: sometimes(50, spread(1000, 29_000)),
} as never) as fc.Arbitrary<Absence>

const odd: fc.Arbitrary<unknown> = either<unknown>(
  [4, hostile],
  [2, fc.constant('the key is test-key')],
  [1, fc.constant(null)],
  [2, hostile.map((repository) => ({ repository, ref: '::error::test-key' }))],
  [1, fc.constant([1, 2])],
)

const oddFields = fc
  .record(
    Object.fromEntries(
      ['model', 'source', 'createdAt', 'archivedAt', 'extra'].map((name) => [name, sometimes(50, odd)]),
    ),
  )
  .map(present)

/** What the agent makes of a prompt. */
const turn: fc.Arbitrary<Turn> = record({
  durationMs: spread(5000, 20 * MINUTE),
  ending: often({ completed: 120, failed: 10, archived: 3, 'active-forever': 3 }),
  pr: either<Turn['pr']>(
    [120, fc.constant(undefined)],
    [30, fc.constant('none')],
    [2, fc.constant(null)],
    [5, fc.constantFrom(...ODD_LINKS)],
  ),
  answerStatus: either<string | undefined>(
    [200, fc.constant(undefined)],
    [10, fc.constant('completed')],
    [3, fc.constant('failed')],
    [10, fc.constant('queued')],
    [2, fc.constant('')],
  ),
  staleReads: fc.nat(2),
  opensAfterMs: sometimes(40, spread(1000, 10 * MINUTE)),
  lateCommitAfterMs: sometimes(20, spread(500, 50_000)),
  change: sometimes(8, fc.constant({ conflicts: true })),
  notFound: sometimes(3, absence),
  activeStatus: sometimes(5, fc.constantFrom('queued', '::error::status', '##[error]s')),
  fields: sometimes(10, oddFields),
}).map(
  ({ staleReads, ...drawn }): Turn =>
    // Answer and reads may both be of the turn before.
    drawn.answerStatus === 'completed' && staleReads !== undefined ? { ...drawn, staleReads } : drawn,
)

/** What the agent makes of failures: a commit with the end of its turn, or up to 50 s later, or none. */
export const fixTurn: fc.Arbitrary<Turn> = fc
  .tuple(
    record({
      durationMs: spread(1000, 10 * MINUTE),
      change: sometimes(70, fc.constant({ conflicts: false })),
    }),
    either<Turn>(
      [8, fc.constant({})],
      [8, spread(500, 50_000).map((ms): Turn => ({ pr: 'none', lateCommitAfterMs: ms }))],
      [2, fc.constant<Turn>({ pr: 'none' })],
      [1, fc.constant<Turn>({ ending: 'failed' })],
    ),
  )
  .map(([some, more]) => ({ ...some, ...more }))

const MERGES = fc.array(fc.constantFrom('person', 'person', 'person', 'bot', 'agent', 'direct'), {
  maxLength: 3,
  size: 'max',
})

type Fields = {
  [K in
    | 'event'
    | 'on'
    | 'author'
    | 'sender'
    | 'words'
    | 'inputs'
    | 'merges'
    | 'folder'
    | 'turn']: fc.Arbitrary<K extends 'sender' ? string | undefined : NonNullable<Drawn[K]>>
}

const ANY: Fields = {
  event: either<EventKind>([4, fc.constant('command')], [6, fc.constantFrom(...EVENTS)]),
  on: often({ issue: 6, pull: 2, agent: 2 }),
  author: person,
  sender: sometimes(5, person),
  words: fc
    .tuple(inlineText, either([4, fc.constant('soon')], [1, fc.constantFrom(...HOSTILE)]))
    .map(([text, end]) => `explain ${text} (ask;) ${end}`),
  inputs: anyInputs,
  merges: MERGES,
  folder: often({ src: 3, test: 1 }),
  turn,
}

/** A request by anybody about anything, but for what is said of it. */
export const ask = (more: Partial<Fields> = {}): fc.Arbitrary<Drawn> =>
  fc
    .record({ ...ANY, ...more, thread: threadInputs, paths: sometimes(40, paths) })
    .map(({ thread, paths, ...drawn }): Drawn => {
      const { event, author, sender = author } = drawn
      const isPush = event === 'push'
      return {
        ...drawn,
        sender,
        merges: isPush ? drawn.merges : [],
        inputs: {
          ...drawn.inputs,
          ...(THREADLESS.includes(event) && drawn.inputs['issue-title'] === undefined ? thread : {}),
          ...(isPush && paths !== undefined ? { paths } : {}),
        },
        workflow: 'Docs',
        attempts: [undisturbed(0)],
      }
    })

export const turnWith = (more: fc.Arbitrary<Turn>): fc.Arbitrary<Turn> =>
  fc.tuple(turn, more).map(([drawn, fixed]) => ({ ...drawn, ...fixed }))
