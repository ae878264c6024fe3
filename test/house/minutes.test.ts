import { expect, test } from 'vitest'
import { playWay, type WAYS } from '../../scripts/bench/minutes.ts'
import { testMatrix } from '../helpers/matrix.ts'
import { fileText } from './files.ts'

/** The cells of the row whose first cell begins so. */
function rowOf(page: string, begin: string): string[] {
  const [row, ...others] = fileText(page)
    .split('\n')
    .filter((line) => line.startsWith(`| ${begin}`))
  expect([row === undefined, others]).toEqual([false, []])
  return (row ?? '')
    .split('|')
    .map((cell) => cell.trim())
    .slice(2, -1)
}

testMatrix<readonly [way: keyof typeof WAYS, costs: string]>(
  [
    ['a run waits', 'A run waits'],
    ['workflow_run', '[no-runner-waits.yml]'],
    ['pull_request and status', '[collect.yml]'],
    ['two repositories, repository_dispatch', '[Two repositories]'],
    ['two repositories, schedule', 'Two repositories, by the schedule'],
  ],
  (at) => at < 2,
)('%s: the pages have the minutes that a request bills', async (way, costs) => {
  const played = await playWay(way)
  const minutes = played.map((one) => String(one.minutes))
  const verdict = `${Math.round(played.at(-1)?.verdict ?? 0)} min`
  expect(rowOf('collect/README.md', costs)).toEqual([...minutes, verdict])
})

test('the page about checks says how few the sweeps bill, and how many the waiting', () => {
  const [waiting = [], ...sweeping] = ['A run waits', '[no-runner-waits.yml]', '[collect.yml]'].map((begin) =>
    rowOf('collect/README.md', begin).slice(0, 3).map(Number),
  )
  const [fewest, most] = [Math.min(...sweeping.flat()), Math.max(...sweeping.flat())]
  const said = `${fewest} to ${most} minutes of a runner instead of ${waiting[0]} to ${waiting.at(-1)}`
  expect(fileText('docs/green-pull-requests.md').replace(/\s+/g, ' ')).toContain(said)
})

test('three workflows that are all named bill more, as the page says', { tags: 'matrix' }, async () => {
  const minutes = (await playWay('three workflows, all named')).map((one) => one.minutes)
  const [first, second, third] = minutes
  expect(fileText('collect/README.md').replace(/\s+/g, ' ')).toContain(`${first}, ${second} and ${third}`)
})
