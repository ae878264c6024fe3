import { expect, test } from 'vitest'
import type { Check } from '../../emulator/github/checks.ts'
import {
  CODE,
  codeWorld,
  FIRST,
  happens,
  headOf,
  INPUTS,
  pulled,
  pushes,
  SECOND_PUSH,
} from '../helpers/code-world.ts'
import type { World } from '../helpers/world.ts'

// Contract 4.13: two projects with one name for their commit statuses overwrite one another.

const WARNING =
  'Something else set docs on this commit. Give each project and each workflow its own commit-status.'
const sets = (emulator: World, more: Partial<Check> = {}) =>
  emulator.github.addChecks(headOf(emulator), [{ name: 'docs', kind: 'status', ...more }])
const warnings = (result: { annotations: readonly { message: string }[] }): string[] =>
  result.annotations.map(({ message }) => message).filter((message) => message.startsWith('Something else'))

test.each<[string, Partial<Check>, boolean]>([
  [
    'the workflow of another project, with its pull request',
    { detailsUrl: 'https://github.com/octo/app/pull/99' },
    true,
  ],
  ['a person, by hand', {}, true],
  ['another service', { detailsUrl: 'https://ci.example.com/1', conclusion: 'failure' }, true],
  ['nobody else: another name', { name: 'links', detailsUrl: 'https://ci.example.com/1' }, false],
  ['a run of this repository', { detailsUrl: 'https://github.com/octo/app/actions/runs/5' }, false],
])('4.13 a run finds at its end the status of %s', async (_, check, isWarned) => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 1 })
  const match = { host: 'service', method: 'GET' } as const
  emulator.faults.add({ match, fault: { kind: 'call', call: () => void sets(emulator, check) } })
  expect(warnings(await happens(emulator, 'opened'))).toEqual(isWarned ? [WARNING] : [])
})

test('4.13 what its own requests set is no news, in any order of events', async () => {
  const emulator = codeWorld({ docsRepository: 'octo/app' })
  const results = [
    await happens(emulator, 'opened'),
    await pushes(emulator, SECOND_PUSH),
    await emulator.ask('/docs skip', { on: CODE, inputs: { 'commit-status': 'docs' } }),
    await happens(emulator, 'labeled'),
    await emulator.ask('/docs explain', { on: CODE, inputs: { 'commit-status': 'docs' } }),
    await pushes(emulator, { isForced: true, files: FIRST }),
    await pushes(emulator, { isForced: true, files: [] }),
    await happens(emulator, 'edited'),
  ]
  expect(results.flatMap(warnings)).toEqual([])
})

test('4.13 two projects with one name: the second one that ends says so', async () => {
  const emulator = codeWorld({ docsRepository: 'octo/app', otherProjects: ['guides'] })
  const event = pulled(emulator, 'opened')
  const ends = (project: string, runId: number) =>
    emulator.act(event, { runId, inputs: { ...INPUTS, 'project-id': project } })
  expect(warnings(await ends('docs', 1))).toEqual([])
  expect(warnings(await ends('guides', 2))).toEqual([])
  expect(warnings(await ends('docs', 3))).toEqual([WARNING])
})
