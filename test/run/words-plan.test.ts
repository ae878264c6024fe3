import { expect, test } from 'vitest'
import { ending } from '../../src/request/outcome.ts'
import type { Teller } from '../../src/request/precedence.ts'
import { planWords, type WordsView } from '../../src/run/words-plan.ts'
import { reportedWith, requestRecordOf, stateIn, withJob } from '../request/helpers.ts'

const RUNNING = { state: 'running', ...withJob('j') } as const
const RESULT = { ...reportedWith('j'), ending: ending('no-pull-request') }
const REPORTED = { state: 'reported', round: 0, outcome: 'no-pull-request' } as const
const teller: Teller = { ...REPORTED, knowsMore: true, addsToResult: false }

/** A process that is about to say the result of a job, beside its status comment. */
const VIEW: WordsView = {
  plan: { teller },
  end: ending('no-pull-request'),
  state: stateIn(RESULT),
  own: { record: requestRecordOf(RUNNING) },
  isTheirs: false,
  wrote: '',
  comment: { words: 'Result', isQuiet: false },
  ...{ recreates: true, waits: false, shows: [] },
}
const shown = { record: requestRecordOf(RESULT) }

/** What is written: `new` beside the comment that stands, or `edit` in it, with which words. */
function cell(view: Partial<WordsView>): string {
  const { differs, saying } = planWords({ ...VIEW, ...view })
  const what = differs ? (saying.asNew ? 'new' : 'edit') : 'nothing'
  return `${what} ${saying.words}`.trim()
}

test.each<[string, Partial<WordsView>, string]>([
  ['a result', {}, 'new Result'],
  ['a result where comments are edited', { recreates: false }, 'edit Result'],
  ['what it said already', { wrote: 'Result', own: shown }, 'nothing Result'],
  ['what changed since it said the result', { wrote: 'Earlier', own: shown }, 'edit Result'],
  ['a result for which its record alone stands', { wrote: '', own: shown }, 'new Result'],
  ['words that notify no person', { comment: { words: 'A line', isQuiet: true } }, 'edit A line'],
  ['a job that goes on', { end: ending('started') }, 'edit Result'],
  [
    'the checks of a result',
    { plan: { teller: { ...teller, addsToResult: true } }, own: shown },
    'edit Result',
  ],
  ['no words, and a record that lacks the result', { comment: { words: '', isQuiet: true } }, 'edit'],
  ['the result of another run', { own: shown, isTheirs: true }, 'nothing'],
  [
    'a part beside the result of another',
    { own: shown, isTheirs: true, state: stateIn({ ...RESULT, openParts: ['link'] }) },
    'edit',
  ],
  ['nothing where no comment stands', { own: undefined, comment: { words: '', isQuiet: false } }, 'nothing'],
])('5.2 5.4 6.2 %s', (_, view, expected) => {
  expect(cell(view)).toBe(expected)
})

test('8.1 a run that waits no longer takes that out of its record', () => {
  const own = { record: { ...requestRecordOf(RESULT), waitsMs: 60_000 } }
  expect(cell({ own, wrote: 'Result' })).toBe('edit Result')
  expect(cell({ own, wrote: 'Result', waits: true })).toBe('nothing Result')
})

test('4.10 a preview stays open where the words of another run stand, which do not show it', () => {
  const shows = (isTheirs: boolean) => planWords({ ...VIEW, isTheirs, shows: ['preview'] }).saying.shows
  expect([shows(false), shows(true)]).toEqual([['preview'], []])
})
