import { describe, expect, test } from 'vitest'
import { readMetadata } from '../../emulator/runner/metadata.ts'
import { INSIGHTS_OUTPUTS, readInsightsInputs } from '../../src/analytics/insights.ts'
import { readVisitorsInputs, VISITORS_OUTPUTS } from '../../src/analytics/visitors.ts'
import { ERROR_REASONS } from '../../src/base/errors.ts'
import { maskSecrets } from '../../src/base/redact.ts'
import { readInputs } from '../../src/inputs/inputs.ts'
import type { GetInput } from '../../src/inputs/readers.ts'
import { core } from '../../src/process-deps.ts'
import { OUTCOMES, SKIP_REASONS } from '../../src/record/outcome.ts'
import { readCollectInputs } from '../../src/story/collect.ts'
import { OUTPUTS } from '../../src/story/step-outputs.ts'
import { filesLike, fileText } from './files.ts'

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

  test('1: all is optional but the project and the keys, and everything is described', () => {
    const required = contract.inputs.filter((input) => input.required).map(({ name }) => name)
    expect(required).toEqual([
      ...Object.keys(REQUIRED),
      ...(file === 'collect/action.yml' ? ['memory-key'] : []),
    ])
    const entries = [...contract.inputs, ...contract.outputs]
    expect(entries.filter(({ description }) => description === '')).toEqual([])
  })
})

const PAGE = fileText('docs/contract.md')

/** What stands on the page between the heading of a section and the next. */
const section = (heading: string): string => PAGE.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''

/** What a text has in backticks, in order. */
const codesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

/** The cells of a table, row by row, without its head. */
const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/^\| (.+) \|$/gm)].slice(2).map(([, row = '']) => row.split(/ *\| */))

describe('docs/contract.md', () => {
  /** `(4.3, 4.12)`, `contract 4.3 and 5.1`, `test('4.3 …`, and `['4.3', 'What the live run saw`. */
  const CITED = [
    /\bcontract ([1-9]\.\d{1,2}(?:(?:, | and )[1-9]\.\d{1,2})*)/gi,
    /\(([1-9]\.\d{1,2}(?:, [1-9]\.\d{1,2})*)\)/g,
    /['"`]([1-9]\.\d{1,2}(?:, [1-9]\.\d{1,2})*)(?:[ :]|', '[A-Z])/g,
  ]
  /** Headings, and the items of a list that begin with a bold number. */
  const CLAUSES = [...PAGE.matchAll(/^(?:##+ |- \*\*)(\d(?:\.\d{1,2})?)(?:\*\*)? \S/gm)].map(
    ([, clause = '']) => clause,
  )

  test('it has each clause that tests and the page itself cite', () => {
    const citing = filesLike('{test,simulator,emulator,scripts}/**/*.{ts,mjs}')
    const cited = [...citing, 'docs/contract.md'].flatMap((file) =>
      CITED.flatMap((pattern) => [...fileText(file).matchAll(pattern)])
        .flatMap(([, list = '']) => list.match(/[1-9]\.\d+/g) ?? [])
        .map((clause) => ({ file, clause })),
    )
    expect(new Set(cited.map(({ clause }) => clause)).size).toBeGreaterThan(50)
    expect(cited.filter(({ clause }) => !CLAUSES.includes(clause))).toEqual([])
  })

  test('src/ cites none: its comments say the reason', () => {
    const cites = (file: string) => CITED.some((pattern) => fileText(file).search(pattern) >= 0)
    expect(filesLike('src/**/*.ts').filter(cites)).toEqual([])
  })

  test('its clauses are in order, each once', () => {
    const sorted = CLAUSES.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    expect(CLAUSES).toEqual([...new Set(sorted)])
  })

  test('1: its inputs and their defaults are those of action.yml', () => {
    const rows = rowsOf(section('1 Inputs')).map(([cell = '']) => codesIn(cell))
    const { inputs } = readMetadata('action.yml')
    const shown = inputs.filter(({ description }) => !description.startsWith('Internal.'))
    const given = shown.map(({ name, default: value = '' }) => (value === '' ? [name] : [name, value]))
    // Inputs that belong together share a row.
    expect(rows.flat()).toEqual(given.flat())
  })

  test('2: its outputs are those of action.yml', () => {
    const rows = rowsOf(section('2 Outputs')).flatMap(([names = '']) => codesIn(names))
    expect(rows).toEqual(readMetadata('action.yml').outputs.map(({ name }) => name))
  })

  test.each([
    ['Outcomes', OUTCOMES],
    ['Reasons of `skipped`', SKIP_REASONS],
    ['Reasons of `error`', ERROR_REASONS],
  ])('2: its %s are those of the code', (title, codes) => {
    const paragraph = PAGE.split(`**${title}:**`)[1]?.split('\n\n')[0] ?? ''
    expect(codesIn(paragraph)).toEqual(codes)
  })

  test.each(['7 `visitors`', '8 `collect`', '9 `insights`'])(
    '%s: the page that it leads to has the tables of all inputs and outputs',
    (heading) => {
      const [name = ''] = codesIn(heading)
      expect(section(heading)).toContain(`(../${name}/README.md)`)
      const page = fileText(`${name}/README.md`)
      for (const table of ['inputs', 'outputs'])
        expect(page).toContain(`<!-- ${table} of ${name}/action.yml -->`)
    },
  )
})

test('2: docs/troubleshooting.md has an item for each outcome and each reason, with what to do', () => {
  const items = fileText('docs/troubleshooting.md').replace(/\n {2}/g, ' ')
  const rows = [...items.matchAll(/^- `([a-z-]+)`[^:]*: (.+)$/gm)]
  expect(rows.map(([, code]) => code).toSorted()).toEqual(
    [...OUTCOMES, ...SKIP_REASONS, ...ERROR_REASONS].toSorted(),
  )
  expect(rows.filter(([, , remedy = '']) => remedy.length < 20)).toEqual([])
})
