import { expect, test } from 'vitest'
import { pushTo as push } from '../helpers/push.ts'
import { expectOutcome, ISSUE, world } from '../helpers/world.ts'

// Contract 3.16: merges of pull requests that `ignore` names do not count, and it is said how many.

const LEFT = (what: string) => `Input ignore leaves out ${what}.`
const SINCE = { 'issue-number': String(ISSUE), 'changes-since': '7d' }
const IGNORE = { ignore: 'author:l10n\nlabel:No-Docs' }

const CASES = [
  ['by its author', [{ title: 'Translate', user: 'L10n' }], '1 merged pull request'],
  ['by its label', [{ title: 'Tidy up', labels: ['no-docs', 'other'] }], '1 merged pull request'],
  [
    'by one or the other',
    [
      { title: 'Translate', user: 'l10n' },
      { title: 'Tidy up', labels: ['No-Docs'] },
    ],
    '2 merged pull requests',
  ],
] as const

test.each(CASES)('3.16 a push leaves out a merge %s, and counts it', async (_, others, what) => {
  const emulator = world()
  const counting = emulator.merge({ title: 'Add retries', days: 3 })
  const left = others.map((one) =>
    emulator.merge({ ...one, labels: [...('labels' in one ? one.labels : [])] }),
  )
  const shas = [counting, ...left].map(({ sha }) => sha)
  const result = await push(emulator, shas.at(-1) ?? '', { commits: shas.slice(0, -1) }, { inputs: IGNORE })
  expectOutcome(result, 'pull-request')
  expect(result.outputs['issue-number']).toBe(String(counting.number))
  expect(emulator.prompts()[0]).toContain('Add retries')
  expect(emulator.prompts()[0]).not.toMatch(/Translate|Tidy up/)
  expect(emulator.prompts()[0]?.replaceAll('`', '')).toContain(LEFT(what))
  expect(emulator.lastWords(counting.number).replaceAll('`', '')).toContain(LEFT(what))
  expect(result.log).toContain(LEFT(what))
})

test.each(CASES)('3.16 `changes-since` leaves out a merge %s, and counts it', async (_, others, what) => {
  const emulator = world()
  emulator.merge({ title: 'Add retries', days: 3 })
  for (const one of others) emulator.merge({ ...one, labels: [...('labels' in one ? one.labels : [])] })
  const result = await emulator.refresh(1, { ...SINCE, ...IGNORE })
  expectOutcome(result, 'pull-request')
  expect(emulator.prompts()[0]).toContain('Add retries')
  expect(emulator.prompts()[0]).not.toMatch(/Translate|Tidy up/)
  expect(emulator.prompts()[0]?.replaceAll('`', '')).toContain(LEFT(what))
  expect(emulator.lastWords(ISSUE).replaceAll('`', '')).toContain(LEFT(what))
  expect(result.log).toContain(LEFT(what))
})

test.each(CASES)('3.16 where nothing else was merged, a merge %s asks nothing', async (_, others) => {
  const emulator = world()
  const left = others.map((one) =>
    emulator.merge({ ...one, labels: [...('labels' in one ? one.labels : [])] }),
  )
  const shas = left.map(({ sha }) => sha)
  const pushed = await push(emulator, shas.at(-1) ?? '', { commits: shas.slice(0, -1) }, { inputs: IGNORE })
  expectOutcome(pushed, 'skipped', 'no-changes')
  expect(pushed.log).toContain('Input ignore leaves out each pull request that this push merged')
  const since = await emulator.refresh(1, { ...SINCE, ...IGNORE })
  expectOutcome(since, 'skipped', 'no-changes')
  expect(since.log).toContain('Nothing but pull requests that ignore leaves out')
  expect(emulator.calls('service')).toEqual([])
})

test('3.16 where `ignore` names none, it is not spoken of', async () => {
  const emulator = world()
  emulator.merge({ title: 'Add retries' })
  const result = await emulator.refresh(1, { ...SINCE, ...IGNORE })
  expectOutcome(result, 'pull-request')
  expect(result.log).not.toContain('leaves out')
  expect(emulator.lastWords(ISSUE)).not.toContain('leaves out')
})
