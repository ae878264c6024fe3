import { undisturbed } from './choices.ts'
import {
  type Act,
  type Ask,
  type Attempt,
  type EventKind,
  GOOD_SERVERS,
  type Interference,
  type Story,
  type Weather,
} from './story.ts'
import { TRACKING_TITLE } from './world.ts'

/** What is certain in a story, where chance would bring it too rarely. */
export interface Certain {
  readonly story?: Partial<Story>
  /** Of each request, besides who asks, where and how. */
  readonly ask?: Partial<Ask>
  readonly inputs?: Ask['inputs']
  /** Of each attempt. */
  readonly attempt?: Partial<Attempt>
  /** Happens before each request. */
  readonly before?: readonly Interference[]
}

const MINUTE: Act = { kind: 'pass', ms: 60_000 }

/**
 * Makes of a story one in which nothing goes wrong but what is certain: somebody who may ask does so in the issue, and
 * the run waits for the end. Chance has decided the rest: how many ask, their words, and what the agent does.
 */
export function calmed(invented: Story, { story, ask, inputs, attempt, before = [] }: Certain = {}): Story {
  const certain: Partial<Ask> = {
    event: 'command',
    on: 'issue',
    author: 'alice',
    sender: 'alice',
    inputs: { 'timeout-minutes': '400', ...inputs },
    attempts: [{ ...undisturbed(60_000), ...attempt }],
    ...ask,
  }
  const meanwhile = before.map((interference): Act => ({ kind: 'interfere', interference }))
  const acts = invented.acts.flatMap((act): Act[] => {
    if (act.kind !== 'ask') return []
    return [MINUTE, ...meanwhile, { kind: 'ask', asks: act.asks.map((asked) => ({ ...asked, ...certain })) }]
  })
  return {
    ...invented,
    docsRepository: 'octo/app',
    permissions: { issues: 'write', pull_requests: 'write', contents: 'read' },
    crowd: 0,
    servers: GOOD_SERVERS,
    rateLimits: undefined,
    followsPulls: false,
    memoryKey: '',
    wake: undefined,
    acts,
    ...story,
  }
}

export const REFRESH: Certain = {
  ask: { event: 'schedule' },
  inputs: { 'issue-title': TRACKING_TITLE, 'changes-since': 'last-run' },
}

const under = (weather: Partial<Weather>): Certain => ({
  attempt: { weather: { service: 0, github: { kind: 'clear' }, ...weather } },
})

/** Requests to GitHub break now and then, and are served in the end. */
export const FLICKERING = under({ github: { kind: 'flicker', rate: 0.12 } })

/** The service seldom answers as it should. */
export const UNRELIABLE = under({ service: 0.7 })

const HOUR = 3_600_000

/** Failing checks go back, and nothing comes of it but a commit some time later. */
export const FAILING: Certain = {
  inputs: { 'fix-attempts': '1' },
  ask: { turn: { durationMs: 60_000 } },
  story: {
    checks: [[{ name: 'build', conclusion: 'failure', takesMs: 5000 }]],
    fixTurns: [{ pr: 'none', durationMs: 60_000 }],
  },
}

/** Checks that take an hour. */
export const SLOW_CHECKS: Certain = {
  inputs: { 'fix-attempts': '1' },
  ask: { turn: { durationMs: 60_000 } },
  story: { checks: [[{ name: 'build', takesMs: HOUR }]] },
}

/** A signature that nobody gives. */
export const UNSIGNED: Certain = {
  inputs: { 'fix-attempts': '1', 'timeout-minutes': '60' },
  ask: { turn: { durationMs: 60_000 } },
  story: { checks: [[{ name: 'license/cla', kind: 'status', takesMs: Number.POSITIVE_INFINITY }]] },
}

/** These events of the pull request of the code, one after the other, each with who caused it. */
export const ofCode = (...events: readonly (readonly [EventKind, string?])[]): Certain => ({
  story: {
    permissions: { issues: 'write', pull_requests: 'write', contents: 'read', statuses: 'write' },
    acts: events.flatMap(([event, sender = 'alice'], nth): Act[] => {
      const id = `ask-${nth + 1}`
      const who = { on: 'pull', author: sender, sender, workflow: 'Docs' } as const
      const inputs = { 'commit-status': 'docs', 'timeout-minutes': '400' }
      const how = { inputs, merges: [], turn: { durationMs: 60_000 }, attempts: [undisturbed(0)] }
      return [MINUTE, { kind: 'ask', asks: [{ id, event, words: `document it (${id};)`, ...who, ...how }] }]
    }),
  },
})
