import { expect, test } from 'vitest'
import { FIX } from '../helpers/checked-world.ts'
import { ownWorld } from '../helpers/world.ts'

// 3.2: a dry run finds the name of a workflow that exists nowhere, which GitHub takes without a word.

const CI = 'name: CI\non: [push, pull_request]\njobs: {}\n'
const collects = (workflows: string): string =>
  `name: Docs\non:\n  workflow_run:\n    workflows: ${workflows}\n    types: [completed]\njobs:\n  collect:\n    steps:\n      - uses: OWNER/docs-agent/collect@v1\n`

async function setupOf(files: Readonly<Record<string, string>>, contents: 'read' | 'none' = 'read') {
  const emulator = ownWorld({ permissions: { contents, actions: 'read' } })
  for (const [name, text] of Object.entries(files)) emulator.github.workflows.set(name, text)
  const inputs = { ...FIX, wait: 'false', 'dry-run': 'true' }
  const { summary, log } = await emulator.ask('/docs explain', { inputs })
  const row = summary.split('\n').find((line) => line.includes('be woken by the end of your workflows'))
  return { row, log }
}

test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
  ['a name that exists', { 'ci.yml': CI, 'docs.yml': collects('[CI]') }, 'works'],
  [
    'a name of no workflow',
    { 'ci.yml': CI, 'docs.yml': collects('[Ci]') },
    'No workflow is named `Ci`, so its end starts no sweep.',
  ],
  ['two of no workflow', { 'ci.yml': CI, 'docs.yml': collects('[build, CI, test]') }, '`build` and `test`'],
  ['one name without a list', { 'ci.yml': CI, 'docs.yml': collects('tests') }, '`tests`'],
  [
    'a workflow without a name',
    { 'ci.yml': 'on: push', 'docs.yml': collects("['.github/workflows/ci.yml']") },
    'works',
  ],
  ['a pattern', { 'ci.yml': CI, 'docs.yml': collects("['C*']") }, 'works'],
  [
    'one that does not collect',
    { 'ci.yml': CI, 'docs.yml': collects('[Ci]').replace('collect@', 'visitors@') },
    undefined,
  ],
  [
    'one that GitHub runs without a file',
    { 'docs.yml': collects('[CodeQL, pages-build-deployment]') },
    'works',
  ],
  ...['name: CI\nname: CI\non: push\n', '{{', ''].map(
    (text): [string, Readonly<Record<string, string>>, string] => [
      `a name that may be in a file that is no YAML for the action: ${JSON.stringify(text)}`,
      { 'ci.yml': text, 'docs.yml': collects('[CI]') },
      'not proven: No workflow that the action can read is named `CI`. It cannot read `.github/workflows/ci.yml`.',
    ],
  ),
  ['files that are no YAML', { 'ci.yml': '{{', 'docs.yml': ': :\n\t' }, undefined],
  ['none', {}, undefined],
])('2 3.2 a dry run of a workflow whose checks sweeps follow: %s', async (_, files, says) => {
  const { row, log } = await setupOf(files)
  if (says === undefined) expect(row, log).toBeUndefined()
  else expect(row, log).toContain(says)
})

test('2 3.2 where GitHub is away, nothing is said of permissions', async () => {
  const emulator = ownWorld({ permissions: { contents: 'read', actions: 'read' } })
  const match = { host: 'github', path: /graphql/ } as const
  emulator.faults.add({ match, fault: { kind: 'status', status: 502 }, times: Infinity })
  const inputs = { ...FIX, wait: 'false', 'dry-run': 'true' }
  const { summary } = await emulator.ask('/docs explain', { inputs })
  emulator.faults.clear()
  const row = summary.split('\n').find((line) => line.includes('be woken by the end of your workflows'))
  expect(row).toContain('not proven')
  expect(row).not.toContain('contents: read')
})

test('2 3.2 where the token may not read workflows, that is not proven', async () => {
  const { row } = await setupOf({ 'ci.yml': CI, 'docs.yml': collects('[Ci]') }, 'none')
  expect(row).toContain('not proven: It needs `contents: read` under `permissions:`.')
})
