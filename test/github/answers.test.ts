import { expect, test } from 'vitest'
import { newestOfEach, parseStatus } from '../../src/github/answers.ts'

const status = (id: number, state: string, created_at = '2026-07-01T10:00:00Z', context = 'ci') =>
  parseStatus({ id, context, state, created_at })
const shown = (...all: readonly ReturnType<typeof status>[]) =>
  newestOfEach(all).map(({ context, state }) => `${context} ${state}`)

test('4.12 of two statuses of one second, the one that was set last counts, in whichever order GitHub lists them', () => {
  const [red, green] = [status(7, 'failure'), status(8, 'success')]
  expect(shown(red, green)).toEqual(['ci success'])
  expect(shown(green, red)).toEqual(['ci success'])
})

test('4.12 of two statuses, the newer one counts, whatever its id', () => {
  const [earlier, later] = [status(9, 'success'), status(8, 'failure', '2026-07-01T10:00:01Z')]
  expect(shown(earlier, later)).toEqual(['ci failure'])
  expect(shown(later, earlier)).toEqual(['ci failure'])
})

test('4.12 a status of another name is not replaced', () => {
  expect(
    shown(status(7, 'failure'), status(8, 'success', '2026-07-01T10:00:01Z', 'docs')).toSorted(),
  ).toEqual(['ci failure', 'docs success'])
})
