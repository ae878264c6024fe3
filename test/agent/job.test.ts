import { describe, expect, test } from 'vitest'
import { parseJob } from '../../src/agent/agent-client.ts'
import { isJobId } from '../../src/record/job.ts'

const WHOLE = {
  id: 'j_1',
  status: 'completed',
  source: { repository: 'https://github.com/octo/docs', ref: 'main' },
  model: 'sonnet',
  prLink: 'https://github.com/octo/docs/pull/77',
  createdAt: '2026-01-01T00:00:00Z',
  archivedAt: null,
}
const parse = (over: object) => parseJob(JSON.stringify({ ...WHOLE, ...over }), 'read')

test('4 a whole job is read', () => {
  expect(parse({})).toEqual({
    id: 'j_1',
    status: 'completed',
    repository: 'https://github.com/octo/docs',
    ref: 'main',
    model: 'sonnet',
    prLink: 'https://github.com/octo/docs/pull/77',
    isEarlierLink: false,
    unusableLink: false,
    createdAt: '2026-01-01T00:00:00Z',
    archivedAt: '',
  })
})

test('4 everything but id and status may be missing, null or of another type', () => {
  const empty = { model: '', repository: '', ref: '', prLink: '', createdAt: '', archivedAt: '' }
  for (const value of [undefined, null, 7, true, [], {}, [['x']]]) {
    const over = { source: value, model: value, prLink: value, createdAt: value, archivedAt: value }
    expect(parse(over)).toEqual({
      id: 'j_1',
      status: 'completed',
      isEarlierLink: false,
      unusableLink: false,
      ...empty,
    })
  }
  expect(parse({ source: { repository: null, ref: 1 } })).toMatchObject({ repository: '', ref: '' })
})

describe.each([
  ['nothing', ''],
  ['half of a job', '{"id":"j_1","sta'],
  ['a list', '[{"id":"j_1","status":"active"}]'],
  ['an error', '{"error":"x"}'],
  ['no id', '{"status":"active"}'],
  ['an id with white space', '{"id":"j 1","status":"active"}'],
  ['an id with a line break', '{"id":"j_1\\n::set-output name=x::y","status":"active"}'],
  ['an id that climbs', '{"id":"..","status":"active"}'],
  ['an endless id', `{"id":"${'x'.repeat(201)}","status":"active"}`],
])('4.4 %s is no job', (_, text) => {
  test('for a read', () => expect(parseJob(text, 'read')).toBeUndefined())
  test('for create and message', () => expect(parseJob(text, 'create')).toBeUndefined())
})

test.each([undefined, null, '', 7])('4.3 status %j: no job for a read, but create has its id', (status) => {
  const text = JSON.stringify({ id: 'j_1', status })
  expect(parseJob(text, 'read')).toBeUndefined()
  expect(parseJob(text, 'create')).toMatchObject({ id: 'j_1', status: '' })
})

test.each([
  [81, '81'],
  [2 ** 53 - 1, '9007199254740991'],
  [2 ** 53, undefined],
  [1e21, undefined],
  [1.5, undefined],
])('2.6 the number %d as id: %s', (id, expected) => {
  expect(parse({ id })?.id).toBe(expected)
})

test('2.6 an id beyond 2^53 is refused as the service spells it, before digits are lost', () => {
  expect(parseJob('{"id":9007199254740993,"status":"active"}', 'read')).toBeUndefined()
  expect(parseJob('{"id":9007199254740993,"status":"active"}', 'create')).toBeUndefined()
})

test('2.4 every text of a job becomes one line of bounded length', () => {
  const hostile = `a\r\n::set-output name=outcome::x\u2028\u202e${'y'.repeat(500)}`
  const job = parse({
    status: hostile,
    model: hostile,
    source: { repository: hostile, ref: hostile },
    createdAt: hostile,
    archivedAt: hostile,
  })
  for (const value of Object.values(job ?? {}).filter((value) => typeof value === 'string')) {
    expect(value).not.toMatch(/[\r\n\u2028\u202e]/)
    expect(value.length).toBeLessThanOrEqual(300)
  }
  expect(parse({ model: '\ud800x' })?.model).toBe('\ufffdx')
})

test('2.2 an unusable link is marked and not passed on', () => {
  expect(parse({ prLink: 'javascript:alert(1)' })).toMatchObject({ prLink: '', unusableLink: true })
  expect(parse({ prLink: '' })).toMatchObject({ prLink: '', unusableLink: false })
})

test('1.2 a job-id is printable ASCII that stays in its place in the path', () => {
  expect(['j_1', 'a/b', '...', 'x'.repeat(200)].map(isJobId)).toEqual([true, true, true, true])
  expect(['', '.', '..', 'a b', 'a\n', 'ü', 'x'.repeat(201)].map(isJobId)).toEqual(Array(7).fill(false))
})

test.each([
  ['https://user:pass@host.example/octo/docs', 'https://host.example/octo/docs'],
  ['https://ghp_x@github.com/octo/docs.git', 'https://github.com/octo/docs.git'],
  ['ssh://git:a@b@host.example/x', 'ssh://host.example/x'],
  ['https://host.example/@octo/docs?x=a@b', 'https://host.example/@octo/docs?x=a@b'],
  ['octo/docs', 'octo/docs'],
  ['git@github.com:octo/docs.git', 'git@github.com:octo/docs.git'],
  ['x-access-token:ghs_x@github.com/octo/docs', 'github.com/octo/docs'],
  [`https://x:${'t'.repeat(520)}@github.com/octo/docs`, 'https://github.com/octo/docs'],
])('2.2 the repository %s is shown as %s', (repository, shown) => {
  const text = JSON.stringify({ id: 'j_1', status: 'active', source: { repository } })
  expect(parseJob(text, 'read')?.repository).toBe(shown)
})
