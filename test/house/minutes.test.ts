import { expect, test } from 'vitest'
import { playWay, type WAYS } from '../../scripts/bench/minutes.ts'
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

test.each<[keyof typeof WAYS, costs: string, green?: string]>([
  ['a run waits', 'A run waits', '`wait: true`'],
  ['workflow_run', '[no-runner-waits.yml]', '`wait: false`, CI on GitHub Actions'],
  ['pull_request and status', '[collect.yml]', '`wait: false`, other CI'],
  ['two repositories, repository_dispatch', '[Two repositories]'],
  ['two repositories, schedule', 'Two repositories, by the schedule'],
])('%s: the pages have the minutes that a request bills', async (way, costs, green) => {
  const played = await playWay(way)
  const minutes = played.map((one) => String(one.minutes))
  const verdict = `${Math.round(played.at(-1)?.verdict ?? 0)} min`
  expect(rowOf('docs/costs.md', costs)).toEqual([...minutes, verdict])
  if (green !== undefined) expect(rowOf('docs/green-pull-requests.md', green)).toEqual(minutes)
})

test('three workflows that are all named bill more, as the page says', async () => {
  const minutes = (await playWay('three workflows, all named')).map((one) => one.minutes)
  const [first, second, third] = minutes
  expect(fileText('docs/costs.md').replace(/\s+/g, ' ')).toContain(`${first}, ${second} and ${third}`)
})
