import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { isRecord } from '../../emulator/http.ts'
import { parseCommand } from '../../src/event/command.ts'
import { type CallInputs, evaluated } from './expressions.ts'
import { filesLike, fileText } from './files.ts'

// What starts a run, as GitHub's own evaluator reads the workflows that people copy.

const field = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined)

/** The events with text that may be a command, and where they have it. */
const WRITTEN = {
  issue_comment: 'comment',
  pull_request_review: 'review',
  pull_request_review_comment: 'comment',
} as const

const CALLED: readonly unknown[] = [parse(fileText('examples/organization.yml'))]

const LISTENERS = filesLike('examples/*.yml').flatMap((file) => {
  const workflow: unknown = parse(fileText(file))
  return Object.entries(WRITTEN).flatMap(([name, part]) => {
    if (field(field(workflow, 'on'), name) === undefined) return []
    // One that calls another has its condition there.
    const jobs: unknown[] = [workflow, ...CALLED].flatMap((one) => Object.values(field(one, 'jobs') ?? {}))
    const job = jobs.find((one) => field(one, 'if') !== undefined)
    return [{ file, name, part, job, condition: String(field(job, 'if')) }]
  })
})

const starts = ({ condition, name, part }: (typeof LISTENERS)[number], body: string): string =>
  evaluated(condition, { event_name: name, event: { [part]: { body } } })

const COMMANDS = [
  ...[
    '/docs',
    '/docs explain',
    '/DOCS Help',
    '/docs?',
    '/docs: explain',
    '/docs、説明して',
    '/docs\texplain',
  ],
  ...['\n/docs explain', '\r\n/docs explain', ' \n\t\n/docs explain', '/docs  status', '/docs\r\nexplain'],
  ...['> **✅ The docs agent opened octo/docs#77**\n\n/docs shorten it', '/docs status\r\n\r\n-- \r\nAlice'],
  ...[
    ' /docs explain',
    '\u00a0/docs',
    '<!-- x -->\n/docs explain',
    '`/docs explain`',
    '／docs explain',
    '／DOCS help',
  ],
]

test('each example with commands listens to comments, reviews and lines', () => {
  const files = ['comment-command', 'no-runner-waits', 'organization-caller', 'two-repositories']
  const all = files.flatMap((file) => Object.keys(WRITTEN).map((name) => [`examples/${file}.yml`, name]))
  // An environment lets in the default branch alone.
  const alone = ['examples/two-repositories-private.yml', 'issue_comment']
  expect(LISTENERS.map(({ file, name }) => [file, name]).toSorted()).toEqual([...all, alone].toSorted())
})

test.each(LISTENERS)('3.1 $file, $name: what the action takes for a command starts the job', (listener) => {
  for (const body of COMMANDS) {
    expect(parseCommand(body, '/docs'), body).toBeDefined()
    expect(starts(listener, body), body).toBe('true')
  }
})

test.each(LISTENERS)('3.1 $file, $name: a comment without the word starts no runner', (listener) => {
  for (const body of ['Thanks!', '', 'status', 'skip: it', 'see docs/guide.md'])
    expect(starts(listener, body), body).toBe('false')
})

test.each(LISTENERS)('3.2 $file, $name: no group keeps `help`, `status` and `skip` waiting', ({ job }) => {
  expect(field(job, 'concurrency')).toBeUndefined()
})

test('3.13 docs-with-the-code.yml queues its events, and cuts no run off', () => {
  const workflow: unknown = parse(fileText('examples/docs-with-the-code.yml'))
  const [docs] = Object.values(field(workflow, 'jobs') ?? {})
  expect(field(docs, 'concurrency')).toMatchObject({ 'cancel-in-progress': false, queue: 'max' })
  const { types } = field(field(workflow, 'on'), 'pull_request') as { readonly types: readonly string[] }
  expect(types).toEqual(expect.arrayContaining(['opened', 'synchronize', 'reopened', 'labeled', 'closed']))
})

const OF_THE_CODE = [
  'docs-with-the-code.yml',
  'two-repositories-status.yml',
  'organization-status.yml',
] as const

/** Whether the job of an example that follows pull requests of the code starts. */
function startsForCode(
  file: (typeof OF_THE_CODE)[number],
  name: string,
  more: Readonly<Record<string, unknown>>,
  actor: string,
  inputs: CallInputs = { label: 'docs' },
): string {
  const [docs] = Object.values(field(parse(fileText(`examples/${file}`)), 'jobs') ?? {})
  const head = { repo: { full_name: 'octo/app' } }
  const pull_request = { labels: [{ name: 'docs' }, { name: 'bug' }], draft: false, head }
  const event = name === 'merge_group' ? more : { pull_request, ...more }
  return evaluated(String(field(docs, 'if')), { event_name: name, event, actor }, inputs)
}

describe.each(OF_THE_CODE)('3.13 %s', (file) => {
  test.each<[string, string, Readonly<Record<string, unknown>>, boolean]>([
    ['the label `docs`', 'pull_request', { action: 'labeled', label: { name: 'docs' } }, true],
    ['another label, beside `docs`', 'pull_request', { action: 'labeled', label: { name: 'bug' } }, false],
    ['a push', 'pull_request', { action: 'synchronize' }, true],
    ['a merge queue', 'merge_group', { action: 'checks_requested' }, true],
  ])('%s', (_, name, event, isStarted) => {
    expect(startsForCode(file, name, event, 'alice')).toBe(String(isStarted))
  })
})

const pullOf = (more: Readonly<Record<string, unknown>>) => ({
  pull_request: { labels: [], draft: false, head: { repo: { full_name: 'octo/app' } }, ...more },
})

test.each<[string, Readonly<Record<string, unknown>>, string, boolean]>([
  ['no label, where one is named', { action: 'synchronize', ...pullOf({}) }, 'docs', false],
  ['no label, where none is named', { action: 'synchronize', ...pullOf({}) }, '', true],
  [
    'a new label, where none is named',
    { action: 'labeled', label: { name: 'bug' }, ...pullOf({}) },
    '',
    false,
  ],
  ['a draft, where none is named', { action: 'synchronize', ...pullOf({ draft: true }) }, '', false],
  ['a fork, where none is named', { action: 'opened', ...pullOf({ head: { repo: null } }) }, '', false],
  ['another label than the named one', { action: 'labeled', label: { name: 'docs' } }, 'write-docs', false],
])('3.13 organization-status.yml, %s: %#', (_, event, label, isStarted) => {
  expect(startsForCode('organization-status.yml', 'pull_request', event, 'alice', { label })).toBe(
    String(isStarted),
  )
})

describe.each(['two-repositories-status.yml', 'organization-status.yml'] as const)('3.13 %s', (file) =>
  test.each<[string, Readonly<Record<string, unknown>>, boolean]>([
    ['pull_request', { action: 'synchronize' }, false],
    ['pull_request', { action: 'opened' }, false],
    // A run of the queue has secrets, also where Dependabot put the pull request there.
    ['merge_group', { action: 'checks_requested' }, true],
  ])('by Dependabot: %s, %o', (name, event, isStarted) => {
    expect(startsForCode(file, name, event, 'dependabot[bot]')).toBe(String(isStarted))
  }),
)

const PRIVATE = 'two-repositories-private-status.yml'

/** Which jobs of the file for private repositories start. */
function jobsStarting(name: string, pull: Readonly<Record<string, unknown>>, actor: string): string[] {
  const jobs = Object.entries(field(parse(fileText(`examples/${PRIVATE}`)), 'jobs') ?? {})
  const head = { repo: { full_name: 'octo/app' } }
  const pull_request = { labels: [{ name: 'docs' }], draft: false, head, ...pull }
  const event = name === 'merge_group' ? {} : { action: 'synchronize', pull_request }
  return jobs.flatMap(([job, value]) =>
    evaluated(String(field(value, 'if')), { event_name: name, event, actor }) === 'true' ? [job] : [],
  )
}

test.each<[string, string, Readonly<Record<string, unknown>>, readonly string[], string?]>([
  ['a push', 'pull_request_target', {}, ['docs']],
  ['a fork', 'pull_request_target', { head: { repo: { full_name: 'dave/app' } } }, []],
  ['a fork that is gone', 'pull_request_target', { head: { repo: null } }, []],
  ['a draft', 'pull_request_target', { draft: true }, []],
  ['no label', 'pull_request_target', { labels: [] }, []],
  ['the merge queue', 'merge_group', {}, ['queue']],
  ['Dependabot', 'pull_request_target', {}, [], 'dependabot[bot]'],
  ['Dependabot in the merge queue', 'merge_group', {}, ['queue'], 'dependabot[bot]'],
  ['a pull request beside it', 'pull_request', {}, []],
])('3.13 two-repositories-private-status.yml: %s', (_, name, pull, jobs, actor = 'alice') => {
  expect(jobsStarting(name, pull, actor)).toEqual(jobs)
})
