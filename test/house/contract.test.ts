import { describe, expect, test } from 'vitest'
import { readMetadata } from '../../emulator/runner/metadata.ts'
import { readCollectInputs } from '../../src/collect/collect.ts'
import { ERROR_REASONS } from '../../src/errors.ts'
import { readInputs } from '../../src/inputs/inputs.ts'
import type { GetInput } from '../../src/inputs/readers.ts'
import { OUTPUTS as INSIGHTS_OUTPUTS, readInsightsInputs } from '../../src/insights/insights.ts'
import { core } from '../../src/process-deps.ts'
import { maskSecrets } from '../../src/redact.ts'
import { OUTCOMES, SKIP_REASONS } from '../../src/request/outcome.ts'
import { OUTPUTS } from '../../src/run/step.ts'
import { readVisitorsInputs, OUTPUTS as VISITORS_OUTPUTS } from '../../src/visitors/visitors.ts'
import { fileText } from './files.ts'

const NOW = Date.UTC(2026, 7, 1)

/** How each action's code reads its inputs, and what it writes. */
const ACTIONS = {
  'action.yml': { read: readInputs, outputs: [...OUTPUTS, 'result'] },
  'visitors/action.yml': {
    read: (raw: GetInput) => readVisitorsInputs(raw, NOW),
    outputs: [...Object.keys(VISITORS_OUTPUTS), 'result'],
  },
  'insights/action.yml': {
    read: (raw: GetInput) => readInsightsInputs(raw, NOW),
    outputs: [...Object.keys(INSIGHTS_OUTPUTS), 'result'],
  },
  'collect/action.yml': { read: readCollectInputs, outputs: ['finished', 'active', 'failed', 'result'] },
} as const

const REQUIRED = { 'project-id': 'docs', 'api-key': 'test-key' }

const rawOf =
  (values: Readonly<Record<string, string>>): GetInput =>
  (name) =>
    values[name] ?? ''

describe.each(Object.entries(ACTIONS))('%s', (file, { read, outputs }) => {
  const contract = readMetadata(file)
  const names = contract.inputs.map(({ name }) => name)

  test('1, 7, 8: it has the inputs that the code reads', () => {
    const asked = new Set<string>()
    const raw: GetInput = (name) => {
      asked.add(name)
      return rawOf(REQUIRED)(name)
    }
    maskSecrets({ core: { ...core, getInput: raw, setSecret: () => {} } })
    read(raw)
    // What only some of them have, all mask.
    for (const name of ['github-token', 'memory-key']) if (!names.includes(name)) asked.delete(name)
    expect([...asked].sort()).toEqual([...names].sort())
  })

  test('2, 7, 8: it has the outputs that the code writes, in that order', () => {
    expect(contract.outputs.map(({ name }) => name)).toEqual(outputs)
  })

  test('1: an input that is not given means what its default says', () => {
    const defaults = Object.fromEntries(
      contract.inputs.map((input) => [input.name, input.default ?? '']).filter(([, value]) => value !== ''),
    )
    // Defaults that only the runner knows.
    for (const [name, value] of Object.entries(defaults))
      if (String(value).includes('${{')) delete defaults[name]
    expect(read(rawOf({ ...defaults, ...REQUIRED }))).toEqual(read(rawOf(REQUIRED)))
  })

  test('1: all is optional but the project and the key, and everything is described', () => {
    const required = contract.inputs.filter((input) => input.required).map(({ name }) => name)
    expect(required).toEqual(Object.keys(REQUIRED))
    const entries = [...contract.inputs, ...contract.outputs]
    expect(entries.filter(({ description }) => description === '')).toEqual([])
  })
})

test('2: the troubleshooting table has each outcome and each reason once', () => {
  const table = fileText('README.md').split('## Troubleshooting')[1]?.split('\n## ')[0] ?? ''
  const codes = [...table.matchAll(/^\| [^|]+<br>`([a-z-]+)` \|/gm)].map(([, name]) => name)
  expect(codes.toSorted()).toEqual([...OUTCOMES, ...SKIP_REASONS, ...ERROR_REASONS].toSorted())
})
