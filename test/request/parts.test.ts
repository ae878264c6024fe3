import { expect, test } from 'vitest'
import { type Ending, ending } from '../../src/request/outcome.ts'
import { dueParts, isLeftOpen, partsAfter, type Surroundings } from '../../src/request/parts.ts'
import type { Part, RequestIdentity } from '../../src/request/record.ts'
import { IDENTITY, reportedWith, stateIn, withJob } from './helpers.ts'

const AROUND: Surroundings = {
  ...{ serverUrl: 'https://github.com', repository: { owner: 'octo', repo: 'app' }, thread: 12 },
  ...{ isLinked: false, decidesStatus: true, isFirstRun: false, hasEarlier: false },
}
const SETTINGS = { preview: true, reviewers: ['bob'], labels: ['docs'] }
const ASKED: RequestIdentity = { ...IDENTITY, settings: SETTINGS, tracking: true }
const HERE = 'https://github.com/octo/app/pull/77'
const ELSEWHERE = 'https://forge.example/octo/app/pull/77'

interface Given {
  readonly identity?: Partial<RequestIdentity>
  readonly link?: string
  readonly around?: Partial<Surroundings>
}

const after = (end: Ending, { identity, link = HERE, around }: Given = {}): string => {
  const state = stateIn({ state: 'running', ...withJob('j', link) })
  return partsAfter(end, { ...ASKED, ...identity }, state, { ...AROUND, ...around }).join(' ')
}

const RESULT = ending('pull-request')

test.each<[string, Ending, Given, string]>([
  ['a pull request', RESULT, {}, 'reaction link reviewers labels issue preview status'],
  ['none', ending('no-pull-request'), { link: '' }, 'reaction issue status'],
  ['a turn that goes on', ending('timed-out'), {}, 'reaction link issue status'],
  ['a job that is gone', ending('error', 'job-not-found'), { link: '' }, 'reaction issue status'],
  ['an answer', ending('skipped', 'help'), { link: '' }, 'reaction status'],
  ['a pull request on another server', RESULT, { link: ELSEWHERE }, 'reaction issue preview status'],
])('4.11 5.5 5.6 what follows %s', (_, end, given, parts) => {
  expect(after(end, given)).toBe(parts)
})

test('3.13 5.6 after earlier events of the step, lines follow each end', () => {
  for (const end of [RESULT, ending('timed-out'), ending('cancelled')]) {
    expect(after(end, { around: { hasEarlier: true } }).split(' ')).toContain('lines')
    expect(after(end).split(' ')).not.toContain('lines')
  }
})

test.each<[string, Part, Ending, Given]>([
  ['on an event without a comment', 'reaction', RESULT, { identity: { comment: '' } }],
  ['where the eyes of this run stay', 'reaction', ending('started'), { around: { isFirstRun: true } }],
  ['without a thread', 'link', RESULT, { around: { thread: undefined } }],
  ['in the thread itself', 'link', RESULT, { around: { thread: 77 } }],
  ['that is there', 'link', RESULT, { around: { isLinked: true } }],
  ['that nobody asked for', 'labels', RESULT, { identity: { settings: { ...SETTINGS, labels: [] } } }],
  ['that is no tracking issue', 'issue', RESULT, { identity: { tracking: false } }],
  ['that no status waits for', 'status', RESULT, { around: { decidesStatus: false } }],
  ['before its end', 'end', ending('timed-out'), { identity: { saysCodeEnd: true } }],
  ['of a job without a pull request', 'end', RESULT, { link: '', identity: { saysCodeEnd: true } }],
])('5.6 %s, the part %s does not follow', (_, part, end, given) => {
  expect(after(end, given).split(' ')).not.toContain(part)
})

test('5.5 the pull request of an earlier turn leads back too, and gets nothing else', () => {
  const job = { ...withJob('j', HERE).job, isEarlierLink: true }
  const state = stateIn({ state: 'running', ...withJob('j', HERE), job })
  expect(partsAfter(ending('no-pull-request'), ASKED, state, AROUND)).toEqual([
    'reaction',
    'link',
    'issue',
    'status',
  ])
})

test('3.13 the end of the code follows that of its job', () => {
  const identity = { saysCodeEnd: true }
  for (const end of [RESULT, ending('failed'), ending('error', 'job-not-found')])
    expect(after(end, { identity })).toContain('end')
})

test.each<[string, readonly Part[], readonly Part[], boolean]>([
  ['nothing', [], [], false],
  ['labels, and a preview for who waits', ['labels', 'preview'], ['labels'], true],
  ['a preview alone', ['preview'], [], true],
  ['a status that waits for the checks', ['reaction', 'checks', 'status'], ['reaction'], true],
  ['the checks that another run follows', ['checks', 'status'], [], false],
])('4.12 5.6 open is %s: what is due, and whether something is left', (_, open, due, isLeft) => {
  const state = stateIn({ ...reportedWith('j', HERE), ending: RESULT, openParts: [...open] })
  expect([dueParts(state, false), isLeftOpen(state)]).toEqual([due, isLeft])
})

test('5.3 eyes beside the end that another run said go, and stay while the job goes on', () => {
  const ended = stateIn({ ...reportedWith('j', HERE), ending: RESULT, openParts: ['labels'] })
  const working = stateIn({ state: 'running', ...withJob('j', HERE), openParts: ['labels'] })
  expect(dueParts(ended, true)).toEqual(['labels', 'reaction'])
  expect(dueParts(working, true)).toEqual(['labels'])
})
