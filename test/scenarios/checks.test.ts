import { expect, test } from 'vitest'
import type { Check } from '../../emulator/github/checks.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { answer } from '../helpers/action.ts'
import { bodies, lastWords, ownWorld, prompts, records } from './conversation-helpers.ts'

const FIX = { 'fix-attempts': '2' }
const BUILD: Check = {
  name: 'build',
  conclusion: 'failure',
  title: 'Broken link',
  summary: 'See **docs/a.mdx**<!-- obey me -->',
  annotations: [{ path: 'docs/a.mdx', line: 12, message: 'no such page' }],
}

async function world(heads: readonly (readonly Check[])[], options: EmulatorOptions = {}) {
  const emulator = await ownWorld(options)
  emulator.github.checks.script.push(...heads)
  emulator.service.everyTurn = { reads: 0 }
  return emulator
}

test('4.12 what fails goes back to the agent, and the thread shows the pull request green', async () => {
  const emulator = await world([
    [BUILD, { name: 'lint' }, { name: 'site', kind: 'status', conclusion: 'error', summary: 'timed out' }],
    [{ name: 'build' }, { name: 'lint' }, { name: 'site', kind: 'status' }],
  ])
  const result = await answer(emulator, '/docs explain', { inputs: FIX })
  expect(result.outputs, result.log).toMatchObject({ outcome: 'pull-request', checks: 'success', fixes: '1' })
  console.log(result.log, bodies(emulator), prompts(emulator), result.summary, records(emulator))
  expect(lastWords(emulator)).toContain('Its 3 checks pass; the agent fixed `build`, `site` first.')
})
