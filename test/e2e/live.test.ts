import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { dispatched } from './helpers/events.ts'
import { mainsOf, openSandbox, type Sandbox } from './helpers/sandbox.ts'

const LIVE = '../.github/workflows/live.yml'
const INPUTS = { request: 'Add a sentence.', 'pause-minutes': '0' }

/** A copy of the project, as the sandbox repository of who adopts it: a download has no scripts. */
function checkout(): Record<string, string> {
  const cwd = inject('checkout')
  const listing = execFileSync('find', ['.', '-name', 'action.yml', '-o', '-path', './dist/*'], {
    cwd,
    encoding: 'utf8',
  })
  const paths = listing.split('\n').filter((path) => path !== '')
  return {
    ...Object.fromEntries(paths.map((path) => [path, readFileSync(`${cwd}/${path}`, 'utf8')])),
    'scripts/live.mjs': readFileSync('scripts/live.mjs', 'utf8'),
  }
}

const live = (sandbox: Sandbox) => sandbox.run(LIVE, dispatched(INPUTS), { files: checkout() })

test('a live run shows each clause of the contract that it can see', async () => {
  const sandbox = await openSandbox()
  const run = await live(sandbox)
  const summary = mainsOf(run).at(-1)?.summary ?? ''
  expect(summary.match(/✅/g), run.text).toHaveLength(12)
  expect(summary).not.toContain('❌')
  expect(run.exitCode).toBe(0)
  expect(sandbox.emulator.service.jobs().map(({ prompts }) => prompts.length)).toEqual([2])
})

test('a service that fails shows in the summary, clause by clause, and the run is red', async () => {
  const sandbox = await openSandbox()
  sandbox.emulator.faults.add({
    match: { host: 'service', path: /analytics/ },
    times: Number.POSITIVE_INFINITY,
    fault: { kind: 'status', status: 401 },
  })
  const run = await live(sandbox)
  const summary = mainsOf(run).at(-1)?.summary ?? ''
  expect(summary.split('\n').filter((line) => line.includes('❌'))).toEqual([
    expect.stringMatching(/^\| 7 \|/),
    expect.stringMatching(/^\| 9 \|/),
  ])
  expect(run.exitCode).toBe(1)
})
