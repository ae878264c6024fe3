import { describe, expect, test } from 'vitest'
import { isRecord } from '../../emulator/http.ts'
import { readMetadata } from '../../emulator/runner/metadata.ts'
import { filesLike, fileText, yamlOf } from './files.ts'

/** It calls another workflow, and has no steps of its own. */
const CALLER = 'examples/organization-caller.yml'
/** Its secrets stand in an environment, and its events have them whoever causes these. */
const PRIVATE = 'examples/two-repositories-private-status.yml'
/** Its job for the merge queue asks nothing. */
const QUEUE = 'queue'
/** They go with the action, and don't use it. */
const BESIDE = [
  ...['examples/docs-not-needed.yml', 'examples/only-docs.yml'],
  'examples/two-repositories-notify.yml',
]
const EXAMPLES = filesLike('examples/*.yml').filter((file) => ![CALLER, ...BESIDE].includes(file))
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
        // `octo` stands for the organization of those who copy the file.
        !/^(\.\/|octo\/|(https:\/\/github\.com\/)?OWNER\/docs-agent\b)/.test(text) &&
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
    for (const { value } of jobsOf(file).filter(({ name }) => name !== QUEUE)) {
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

test('5.1 the examples sign what threads remember with one key, so that they can share threads', () => {
  const signing = EXAMPLES.flatMap(stepsOf).filter(
    ({ name, value }) =>
      /^OWNER\/docs-agent(\/collect)?@v1$/.test(name) && record(value.with)['api-key'] !== '',
  )
  const keys = signing.map(({ value }) => record(value.with)['memory-key'])
  const [called, ...others] = [...new Set(keys)].toSorted()
  expect([called, others]).toEqual([`$\{{ secrets.DOCS_AGENT_MEMORY_KEY }}`, [`$\{{ secrets.memory-key }}`]])
  expect(record(jobsOf(CALLER)[0]?.value.secrets)['memory-key']).toBe(called)
})

test('the caller of an organization calls the file that goes with it, and gives it what it requires', () => {
  const REUSABLE = 'examples/organization.yml'
  const job = record(jobsOf(CALLER)[0]?.value)
  expect(job.uses).toBe(`octo/workflows/${REUSABLE.replace('examples', '.github/workflows')}@main`)
  const called = record(record(record(yamlOf(REUSABLE)).on).workflow_call)
  for (const [given, taken] of [
    ['with', 'inputs'],
    ['secrets', 'secrets'],
  ] as const)
    expect(Object.keys(record(job[given]))).toEqual(Object.keys(record(called[taken])))
  const optional = Object.entries(record(called.secrets)).filter(([, one]) => record(one).required !== true)
  expect(optional).toEqual([])
})

test('1.1 the workflow to play with on the emulator has the keys that a run needs to ask', () => {
  const [, step] = stepsOf('emulator/play/workflow.yml')
  const keys = ['project-id', 'api-key', 'memory-key']
  expect(Object.keys(record(step?.value.with))).toEqual(expect.arrayContaining(keys))
})

test('one example alone uses pull_request_target, and it runs nothing but the action and the token for it', () => {
  const using = EXAMPLES.filter((file) => 'pull_request_target' in record(record(yamlOf(file)).on))
  expect(using).toEqual([PRIVATE])
  expect(stepsOf(PRIVATE).map(({ name }) => name.replace(/@.*/, ''))).toEqual([
    'actions/create-github-app-token',
    'OWNER/docs-agent',
    'OWNER/docs-agent',
  ])
})

test('3.6 its secrets are those of an environment, and the job for the merge queue has none', () => {
  const [docs, queue] = jobsOf(PRIVATE).map(({ value }) => value)
  expect(docs?.environment).toEqual({ name: 'docs-agent', deployment: false })
  expect(docs?.permissions).toBeUndefined()
  expect(queue).not.toHaveProperty('environment')
  expect(JSON.stringify(queue)).not.toMatch(/secrets|vars|steps\.app/)
  expect(queue?.permissions).toEqual({ 'pull-requests': 'read', statuses: 'write' })
})

const SWEEPS = ['examples/collect.yml', 'examples/no-runner-waits.yml']
const sweepOf = (file: string) => jobsOf(file).find(({ name }) => name === 'collect')?.value

test.each(SWEEPS)('8.2 the sweep of %s has the least permissions, and checks nothing out', (file) => {
  expect(sweepOf(file)?.permissions).toEqual({
    ...{ issues: 'write', 'pull-requests': 'write', statuses: 'write', checks: 'read', actions: 'read' },
  })
  expect(sweepOf(file)?.steps).toEqual(sweepOf(SWEEPS[0] ?? '')?.steps)
  expect(stepsOf(file).filter(({ name }) => name.startsWith('actions/'))).toEqual([])
})

test('8.4 a sweep that waits for its group gives way only to one for the same branch or the same commit', () => {
  const groups = SWEEPS.map((file) => String(record(sweepOf(file)?.concurrency).group))
  expect(groups).toEqual([
    expect.stringMatching(/github\.event_name .*head\.sha \|\| github\.event\.sha/),
    expect.stringMatching(/head_repository\.full_name .*head_branch/),
  ])
})

test('8.4 the agent’s pull request and other CI wake the one sweep, and GitHub Actions the other', () => {
  const on = SWEEPS.map((file) => record(record(yamlOf(file)).on))
  expect(record(on[0]?.pull_request).types).toEqual(['opened', 'synchronize'])
  expect(on.map((events) => ['status', 'workflow_run', 'schedule'].filter((name) => name in events))).toEqual(
    [
      ['status', 'schedule'],
      ['workflow_run', 'schedule'],
    ],
  )
})

test('commands stand in files without a schedule, which GitHub disables where nothing happens', () => {
  // In private repositories, for which this one is, GitHub disables none.
  const files = EXAMPLES.filter((file) => file !== 'examples/no-runner-waits.yml')
  const events = files.map((file) => Object.keys(record(record(yamlOf(file)).on)))
  const scheduled = events.filter((names) => names.includes('schedule'))
  expect(scheduled.length).toBeGreaterThan(3)
  expect(scheduled.filter((names) => names.some((name) => /comment|review/.test(name)))).toEqual([])
})

describe.each([
  ['comment-command.yml', 'two-repositories.yml'],
  ['two-repositories.yml', 'organization.yml'],
  ['weekly-refresh.yml', 'two-repositories-refresh.yml'],
  ['docs-with-the-code.yml', 'two-repositories-status.yml'],
  ['two-repositories-status.yml', 'two-repositories-private-status.yml'],
  ['collect.yml', 'two-repositories-collect.yml'],
])('%s and %s', (one, other) => {
  const [job, apart] = [one, other].map((file) => jobsOf(`examples/${file}`)[0]?.value ?? {})

  test('start for the same', () => {
    if (one === 'collect.yml') return expect(apart?.if).toBeUndefined()
    // Its first step fails without secrets, which Dependabot's pull requests do not get.
    const [conditionApart, condition] = [apart, job].map((value) =>
      String(value?.if).replace("github.actor != 'dependabot[bot]' && ", ''),
    )
    if (`examples/${other}` === PRIVATE)
      return expect(conditionApart).toBe(
        condition?.replace(
          /^github\.event_name == 'merge_group' \|\| \( ([\s\S]*)\)$/,
          "github.event_name == 'pull_request_target' && $1",
        ),
      )
    expect(conditionApart).toBe(condition)
    expect(apart?.concurrency).toEqual(job?.concurrency)
  })

  test('ask the same, with a token of the App that has the permissions of the job', () => {
    const lastOf = (value: Named['value'] = {}) => (Array.isArray(value.steps) ? value.steps.at(-1) : {})
    const [given, givenApart] = [job, apart].map((value) => record(record(lastOf(value)).with))
    const HERE = ['project-id', 'api-key', 'memory-key', 'dry-run', 'reviewers', 'labels']
    for (const [name, value] of Object.entries(given ?? {})) {
      if (!HERE.includes(name)) expect([name, givenApart?.[name]]).toEqual([name, value])
    }
    expect(givenApart?.['github-token']).toBe(`$\{{ steps.app.outputs.token }}`)
    const [app] = (Array.isArray(apart?.steps) ? apart.steps : []).filter((step) => record(step).id === 'app')
    const levels = Object.entries(record(record(app).with)).flatMap(([name, level]) =>
      name.startsWith('permission-') ? [[name.slice('permission-'.length), level]] : [],
    )
    if (job?.permissions !== undefined) expect(Object.fromEntries(levels)).toEqual(job.permissions)
  })
})

test.each(PAGES)('%s: the workflows that it quotes pin what is not their own', (page) => {
  expect(unpinned(page)).toEqual([])
})

describe.each([CALLER, ...BESIDE, ...EXAMPLES, ...WORKFLOWS])('%s', (file) => {
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
