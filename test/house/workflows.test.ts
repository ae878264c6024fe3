import { describe, expect, test } from 'vitest'
import { isRecord } from '../../emulator/http.ts'
import { readMetadata } from '../../emulator/runner/metadata.ts'
import { filesLike, fileText, yamlOf } from './files.ts'

const EXAMPLES = filesLike('examples/*.yml')
const WORKFLOWS = filesLike('.github/workflows/*.yml')
/** The pages that people read. */
const PAGES = filesLike('{*,{docs,visitors,insights,collect,examples}/*}.md')

interface Named {
  readonly name: string
  readonly value: Readonly<Record<string, unknown>>
}

const record = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})

const jobsOf = (file: string): Named[] =>
  Object.entries(record(record(yamlOf(file)).jobs)).map(([name, value]) => ({ name, value: record(value) }))

const stepsOf = (file: string): Named[] =>
  jobsOf(file).flatMap(({ value }) =>
    (Array.isArray(value.steps) ? value.steps : []).map((step: unknown) => ({
      name: String(record(step).uses ?? ''),
      value: record(step),
    })),
  )

/** What a workflow, or a page that quotes one, uses of others without the SHA and the version. */
const unpinned = (file: string): string[] =>
  [...fileText(file).matchAll(/\buses: (.+)$/gm)]
    .map(([, text = '']) => text)
    .filter(
      (text) =>
        !/^(\.\/|(https:\/\/github\.com\/)?OWNER\/docs-agent\b)/.test(text) &&
        !/@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(text),
    )

/** `OWNER/docs-agent/visitors@v1` → `visitors/action.yml`; undefined for actions of others. */
function metadataOf(uses: string): string | undefined {
  const [, folder] = /^OWNER\/docs-agent(?:\/(\w+))?@v1$/.exec(uses) ?? [uses, null]
  return folder === null ? undefined : `${folder === undefined ? '' : `${folder}/`}action.yml`
}

describe.each(EXAMPLES)('%s', (file) => {
  test('gives the action what it needs, and nothing that it does not know', () => {
    const uses = stepsOf(file).flatMap(({ name, value }) => {
      const metadata = metadataOf(name)
      return metadata === undefined
        ? []
        : [{ inputs: readMetadata(metadata).inputs, given: record(value.with) }]
    })
    expect(uses.length).toBeGreaterThan(0)
    for (const { inputs, given } of uses) {
      expect(inputs.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(given)))
      const required = inputs.filter((input) => input.required).map(({ name }) => name)
      expect(Object.keys(given)).toEqual(expect.arrayContaining(required))
    }
  })

  test('has a time limit that leaves the action time to say that it stops, and a group where no comment starts it', () => {
    for (const { value } of jobsOf(file)) {
      const isOfComments = /\.body, /.test(String(value.if))
      if (!isOfComments) expect(record(value.concurrency).group).toMatch(/^docs-agent-/)
      const waits = (Array.isArray(value.steps) ? value.steps : []).some(
        (step: unknown) =>
          record(step).uses === 'OWNER/docs-agent@v1' && record(record(step).with).wait !== false,
      )
      expect(value['timeout-minutes']).toBeGreaterThanOrEqual(waits ? 40 : 10)
    }
  })
})

test('5.1 every example signs what threads remember with a key of its own, so that threads survive a new API key', () => {
  const signing = EXAMPLES.flatMap(stepsOf).filter(({ name }) =>
    /^OWNER\/docs-agent(\/collect)?@v1$/.test(name),
  )
  expect(signing.length).toBeGreaterThan(EXAMPLES.length)
  for (const { value } of signing)
    expect(record(value.with)['memory-key']).toMatch(/^\$\{\{ secrets\.DOCS_AGENT_MEMORY_KEY \}\}$/)
  expect(fileText('README.md')).toMatch(/^ +memory-key: \$\{\{ secrets\.DOCS_AGENT_MEMORY_KEY \}\}$/m)
})

test('a schedule, for which GitHub disables a whole file, stands in none that people wait for', () => {
  const events = EXAMPLES.map((file) => Object.keys(record(record(yamlOf(file)).on)))
  const withSchedule = events.filter((names) => names.includes('schedule'))
  expect(withSchedule.length).toBeGreaterThan(1)
  expect(withSchedule.flat().filter((name) => !['schedule', 'workflow_dispatch'].includes(name))).toEqual([])
})

test('3.8 no example uses pull_request_target', () => {
  expect(EXAMPLES.filter((file) => 'pull_request_target' in record(record(yamlOf(file)).on))).toEqual([])
})

test('8.2 the sweep has a group and the least permissions, and wakes up for the agent’s pull request', () => {
  const [start, sweep] = jobsOf('examples/start-and-collect.yml')
  expect(start?.value.steps).toMatchObject([{ uses: expect.any(String), with: { wait: false } }])
  expect(sweep?.value.permissions).toEqual({ issues: 'write', 'pull-requests': 'write', statuses: 'write' })
  expect(record(sweep?.value.concurrency).group).toContain('docs-agent-collect')
  const [hourly] = jobsOf('examples/collect.yml')
  expect(hourly?.value.permissions).toEqual(sweep?.value.permissions)
  expect(hourly?.value.steps).toEqual(sweep?.value.steps)
  const on = record(record(yamlOf('examples/start-and-collect.yml')).on)
  expect(record(on.pull_request).types).toEqual(['opened', 'synchronize'])
})

test.each(PAGES)('%s: the workflows that it quotes pin what is not their own', (page) => {
  expect(unpinned(page)).toEqual([])
})

describe.each([...EXAMPLES, ...WORKFLOWS])('%s', (file) => {
  test('grants nothing at the top, and pins what is not its own', () => {
    expect(record(yamlOf(file)).permissions).toEqual({})
    expect(unpinned(file)).toEqual([])
  })

  test('takes no expression into a shell', () => {
    const scripts = stepsOf(file).map(({ value }) => String(value.run ?? ''))
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([])
  })

  test('leaves no credentials behind', () => {
    const checkouts = stepsOf(file).filter(({ name }) => name.startsWith('actions/checkout@'))
    for (const { value } of checkouts) expect(record(value.with)['persist-credentials']).toBe(false)
  })
})
