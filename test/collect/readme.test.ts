import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { isRecord } from '../../emulator/http.ts'

const textOf = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
const record = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})

const README = textOf('collect/README.md')
const METADATA = record(parse(textOf('collect/action.yml')))
const WORKFLOWS = [...README.matchAll(/^```yaml\n(name: [\s\S]*?)^```$/gm)].map(([, yaml]) =>
  record(parse(yaml ?? '')),
)

interface Step {
  readonly workflow: Readonly<Record<string, unknown>>
  readonly job: Readonly<Record<string, unknown>>
  readonly given: Readonly<Record<string, unknown>>
}

const stepsWith = (uses: string): Step[] =>
  WORKFLOWS.flatMap((workflow) =>
    Object.values(record(workflow.jobs)).flatMap((value) => {
      const job = record(value)
      const steps = Array.isArray(job.steps) ? job.steps.map(record) : []
      return steps
        .filter((step) => step.uses === uses)
        .map((step) => ({ workflow, job, given: record(step.with) }))
    }),
  )

test('8.2 the documented sweep has a concurrency group, the least permissions, and both triggers', () => {
  const [sweep, ...more] = stepsWith('OWNER/docs-agent/collect@v1')
  expect(more).toEqual([])
  expect(record(sweep?.job.concurrency).group).toBe('docs-agent-collect')
  expect(sweep?.workflow.permissions).toEqual({})
  expect(sweep?.job.permissions).toEqual({ issues: 'write', 'pull-requests': 'write' })
  expect(Object.keys(record(sweep?.workflow.on))).toEqual(['pull_request', 'schedule', 'workflow_dispatch'])
  expect(Object.keys(record(METADATA.inputs))).toEqual(
    expect.arrayContaining(Object.keys(sweep?.given ?? {})),
  )
})

test('8 the documented start does not wait', () => {
  const [start] = stepsWith('OWNER/docs-agent@v1')
  expect(start?.given.wait).toBe(false)
  expect(start?.workflow.permissions).toEqual({})
})

test.each(['inputs', 'outputs'])('8 the table of %s names all that the metadata has', (section) => {
  const table = new RegExp(`<!-- ${section} of collect/action.yml -->([\\s\\S]*?)<!-- end of ${section} -->`)
  const rows = [...(table.exec(README)?.[1] ?? '').matchAll(/^\| `([\w-]+)` \|(.*)$/gm)]
  const entries = Object.entries(record(METADATA[section]))
  expect(rows.map(([, name]) => name)).toEqual(entries.map(([name]) => name))
  for (const [at, [, value]] of entries.entries()) {
    expect(rows[at]?.[2]).toContain(String(record(value).description).trim())
  }
})

test('8 the arithmetic of minutes adds up', () => {
  const sums = [...README.matchAll(/([\d× +]+[×+][\d× +]+) = \*{0,2}(\d+)/g)]
  expect(sums.length).toBeGreaterThanOrEqual(10)
  for (const [text, sum = '', total] of sums) {
    const added = sum
      .split('+')
      .map((product) => product.split('×').reduce((all, factor) => all * Number(factor), 1))
    expect(
      added.reduce((all, one) => all + one, 0),
      text,
    ).toBe(Number(total))
  }
})
