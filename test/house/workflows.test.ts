import { describe, expect, test } from 'vitest'
import { isRecord } from '../../emulator/http.ts'
import { readMetadata } from '../../emulator/runner/metadata.ts'
import { filesLike, fileText, yamlOf } from './files.ts'

/** They call the workflow that an organization shares, and have no steps of their own. */
const CALLERS = filesLike('examples/*-caller.yml')
const sharedBy = (caller: string) => caller.replace('-caller', '')
const callerOf = (shared: string) => `examples/${shared.replace('.yml', '-caller.yml')}`
/** The environment lets in the default branch alone, so reviews and their lines start nothing. */
const PRIVATE_COMMANDS = 'examples/two-repositories-private.yml'
/** Its secrets stand in an environment, and its events have them whoever causes these. */
const PRIVATE = 'examples/two-repositories-private-status.yml'
/** Its job for the merge queue asks nothing. */
const QUEUE = 'queue'
/** They go with the action, and don't use it. */
const BESIDE = [
  ...['examples/docs-not-needed.yml', 'examples/only-docs.yml'],
  'examples/two-repositories-notify.yml',
]
const EXAMPLES = filesLike('examples/*.yml').filter((file) => ![...CALLERS, ...BESIDE].includes(file))
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
  for (const caller of CALLERS) expect(record(jobsOf(caller)[0]?.value.secrets)['memory-key']).toBe(called)
})

test('an organization shares what the files for two repositories do', () => {
  expect(CALLERS.map((file) => sharedBy(file).replace('examples/', ''))).toEqual([
    'organization.yml',
    'organization-collect.yml',
    'organization-refresh.yml',
    'organization-status.yml',
  ])
})

describe.each(CALLERS)('%s', (caller) => {
  const job = record(jobsOf(caller)[0]?.value)
  const shared = yamlOf(sharedBy(caller))
  const called = record(record(record(shared).on).workflow_call)

  test('calls the file that goes with it, and gives it what it requires, and nothing that it does not know', () => {
    expect(job.uses).toBe(`octo/workflows/${sharedBy(caller).replace('examples', '.github/workflows')}@main`)
    for (const [given, taken] of [
      ['with', 'inputs'],
      ['secrets', 'secrets'],
    ] as const) {
      const [names, all] = [Object.keys(record(job[given])), Object.entries(record(called[taken]))]
      const required = all.flatMap(([name, one]) => (record(one).required === true ? [name] : []))
      expect(all.map(([name]) => name)).toEqual(expect.arrayContaining(names))
      expect(names).toEqual(expect.arrayContaining(required))
    }
    const optional = Object.entries(record(called.secrets)).filter(([, one]) => record(one).required !== true)
    expect(optional).toEqual([])
    if ('dry-run' in record(called.inputs))
      expect(record(job.with)['dry-run']).toBe(`$\{{ vars.DOCS_AGENT_DRY_RUN == 'true' }}`)
  })

  test('has the name of the file for two repositories, and its events', () => {
    const apart = yamlOf(sharedBy(caller).replace('organization', 'two-repositories'))
    for (const part of ['name', 'on'] as const)
      expect(record(yamlOf(caller))[part]).toEqual(record(apart)[part])
    expect(record(shared).name).toBe(record(apart).name)
  })

  test('shares no group with what it calls, which would wait for it for ever', () => {
    expect([record(yamlOf(caller)).concurrency, job.concurrency]).toEqual([undefined, undefined])
  })

  test('a shared file takes no name from an event that may lack it', () => {
    const on = Object.keys(record(record(yamlOf(caller)).on))
    const text = fileText(sharedBy(caller))
    expect(text.includes('github.event.repository')).toBe(!on.includes('schedule'))
    expect(text.includes('steps.here.outputs.name')).toBe(on.includes('schedule'))
  })
})

test.each(EXAMPLES)('1.5 one variable switches %s to dry runs', (file) => {
  const asking = stepsOf(file).filter(
    ({ name, value }) => name === 'OWNER/docs-agent@v1' && record(value.with)['api-key'] !== '',
  )
  const SWITCHES = [`$\{{ vars.DOCS_AGENT_DRY_RUN || 'false' }}`, `$\{{ inputs.dry-run }}`]
  for (const { value } of asking) expect(SWITCHES).toContain(record(value.with)['dry-run'])
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

test('3.1 beside it, only comments that run on the default branch are commands', () => {
  expect(Object.keys(record(record(yamlOf(PRIVATE_COMMANDS)).on))).toEqual(['issue_comment'])
  const [commands, status] = [PRIVATE_COMMANDS, PRIVATE].map((file) => jobsOf(file)[0]?.value)
  expect(commands?.environment).toEqual(status?.environment)
  const given = [PRIVATE_COMMANDS, PRIVATE].map((file) => {
    const step = stepsOf(file).find(({ name }) => name === 'OWNER/docs-agent@v1')
    return [record(step?.value.with)['commit-status'], record(step?.value.with).paths]
  })
  expect(given[0]).toEqual(given[1])
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

/** Files with commands may set the commit status, too. */
const withoutStatus =
  (file: string) =>
  ([scope, level]: readonly [string, unknown]) =>
    file === 'two-repositories.yml' && scope === 'statuses' ? [scope] : [scope, level]

/** What the token of the App may do. */
function levelsIn(job: Named['value'] = {}): (readonly [scope: string, level: unknown])[] {
  const [app] = (Array.isArray(job.steps) ? job.steps : []).filter((step) => record(step).id === 'app')
  return Object.entries(record(record(app).with)).flatMap(([name, level]) =>
    name.startsWith('permission-') ? [[name.slice('permission-'.length), level] as const] : [],
  )
}

describe.each([
  ['comment-command.yml', 'two-repositories.yml'],
  ['two-repositories.yml', 'organization.yml'],
  ['two-repositories.yml', 'two-repositories-private.yml'],
  ['weekly-refresh.yml', 'two-repositories-refresh.yml'],
  ['docs-with-the-code.yml', 'two-repositories-status.yml'],
  ['two-repositories-status.yml', 'two-repositories-private-status.yml'],
  ['collect.yml', 'two-repositories-collect.yml'],
  ['two-repositories-status.yml', 'organization-status.yml'],
  ['two-repositories-refresh.yml', 'organization-refresh.yml'],
  ['two-repositories-collect.yml', 'organization-collect.yml'],
])('%s and %s', (one, other) => {
  const [job, apart] = [one, other].map((file) => jobsOf(`examples/${file}`)[0]?.value ?? {})

  test('start for the same', () => {
    if (one === 'collect.yml') return expect(apart?.if).toBeUndefined()
    // Its first step fails without secrets, which Dependabot's pull requests do not get.
    const [conditionApart, condition] = [apart, job].map((value) =>
      String(value?.if)
        .replace("github.actor != 'dependabot[bot]' && ", '')
        // An organization names the label in each repository.
        .replace(/\(inputs\.label == '' \|\| (.+?\))\)/, '$1')
        .replaceAll('inputs.label', "'docs'")
        // One without reviews.
        .replaceAll('github.event.comment.body || github.event.review.body', 'github.event.comment.body'),
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
      const isOfCaller = givenApart?.[name] === `$\{{ inputs.${name} }}`
      const there = isOfCaller ? record(jobsOf(callerOf(other))[0]?.value.with)[name] : givenApart?.[name]
      if (!HERE.includes(name)) expect([name, there]).toEqual([name, value])
    }
    expect(givenApart?.['github-token']).toBe(`$\{{ steps.app.outputs.token }}`)
    const levels = levelsIn(apart)
    if (job?.permissions !== undefined) expect(Object.fromEntries(levels)).toEqual(job.permissions)
    else expect(levels.map(withoutStatus(one))).toEqual(levelsIn(job).map(withoutStatus(one)))
  })
})

test.each(PAGES)('%s: the workflows that it quotes pin what is not their own', (page) => {
  expect(unpinned(page)).toEqual([])
})

describe.each([...CALLERS, ...BESIDE, ...EXAMPLES, ...WORKFLOWS])('%s', (file) => {
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
