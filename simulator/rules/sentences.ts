import {
  bodyOf,
  changesEarlier,
  type History,
  livesOf,
  mainOf,
  ownRecords,
  type Request,
  recordedIn,
  requestOf,
  sentFor,
} from '../history.ts'
import type { Life } from '../life.ts'
import { wordsOf } from '../records.ts'
import { couldReport, pullOf, pullsOfJobs, strangersOf, wasMisled } from '../truth.ts'
import { ACTION_LOGIN, REPOSITORY } from '../world.ts'
import type { Rule } from './rule.ts'

interface Said {
  readonly history: History
  readonly request: Request
  readonly life: Life
  /** Of the thread that it stands in; undefined in the log. */
  readonly thread: number | undefined
}

/** Sentences of log and thread that can be wrong, and when each is true. */
const SENTENCES: readonly (readonly [sentence: RegExp, isTrue: (said: Said) => boolean])[] = [
  [
    /does not remember this request/,
    ({ history, request }) => request.thread === undefined || ownRecords(history, request).length === 0,
  ],
  [/(reply here|in #\d+) or there/i, (said) => repliesCount(said) && worksThere(said)],
  [
    /reply (here )?(with )?`?\/docs|comment `?\/docs [^`]+`? in #\d+|`?\/docs status`? asks how it stands/i,
    repliesCount,
  ],
  [
    /permission of \S+ could not be read|yours could not be read/,
    ({ request }) => strangersOf(request).includes('ghost'),
  ],
  [
    /asked the docs agent'?\.?$|before it asked the docs agent|Nothing was sent (within|to)|did not get the request/,
    ({ history, request, life }) =>
      sentFor(history, request).every(({ run }) => run.main !== life && run.post !== life),
  ],
  [
    /earlier pull request is (merged|closed)/,
    ({ history }) => pullsOfJobs(history.world).some((pull) => pull?.issue.state === 'closed'),
  ],
]

/** Every sentence in log and thread is true. */
export const sentencesTrue: Rule = {
  name: 'sentences-true',
  clause: '5.4, 5.6',
  afterLife(history, life) {
    const request = requestOf(history, life)
    if (request === undefined || life.fate !== 'ended' || livesOf(request).some(wasMisled)) return []
    const inThread = history.world.emulator.github
      .comments(request.thread ?? 0)
      .filter(
        ({ user, body }) =>
          user.login === ACTION_LOGIN &&
          life.calls.some((call) => bodyOf(call) === body && !changesEarlier(request, call)),
      )
    const said = [
      { where: 'the log', text: life.log.text, thread: undefined },
      ...inThread.map(({ body }) => ({
        where: `#${request.thread}`,
        text: wordsOf(body),
        thread: request.thread,
      })),
    ]
    return said.flatMap(({ where, text, thread }) =>
      SENTENCES.flatMap(([sentence, isTrue]) => {
        const found = sentence.exec(text)?.[0]
        if (found === undefined || isTrue({ history, request, life, thread })) return []
        return [`${life.name} says in ${where} "${found}", which is not so`]
      }),
    )
  },
}

/** The action has a comment in the thread, so that a command there finds the job. */
function repliesCount({ history: { world }, request }: Said): boolean {
  const thread = request.thread ?? 0
  return world.touched.has(thread) || recordedIn(world, thread).some(({ author }) => author === ACTION_LOGIN)
}

/** The pull request lies in this repository, and a command on it finds the job. */
function worksThere({ history, request, life }: Said): boolean {
  const { world } = history
  const outputs = mainOf(history, life)?.footprint.outputs
  const pull = pullOf(world, outputs?.get('pr-link') ?? '')
  if (pull?.repository !== REPOSITORY) return false
  if (pull.number === request.thread || !couldReport(world, life)) return true
  const jobId = outputs?.get('job-id')
  return recordedIn(world, pull.number).some(({ record }) => record.jobId === jobId)
}
