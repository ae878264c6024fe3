import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { isRecord } from '../../emulator/http.ts'
import { OUTPUTS } from '../../src/story/step-outputs.ts'
import { ACTION, ISSUE, world } from '../helpers/world.ts'

test('2 the outputs are those of action.yml, all of them, also as one JSON object', {
  tags: 'bundle',
}, async () => {
  const action: unknown = parse(readFileSync(ACTION, 'utf8'))
  const declared = isRecord(action) && isRecord(action.outputs) ? Object.keys(action.outputs) : []
  expect(declared).toEqual([...OUTPUTS, 'result'])
  // Requests go to the API of the server, and links to its pages (5.7).
  const serverUrl = 'https://github.example.com'
  const emulator = world({ serverUrl })
  const { outputs } = await emulator.ask('/docs Explain retries')
  expect(Object.keys(outputs).toSorted()).toEqual(declared.toSorted())
  expect(JSON.parse(outputs.result ?? '')).toEqual({
    outcome: 'pull-request',
    reason: '',
    'job-id': emulator.service.jobs()[0]?.id,
    status: 'completed',
    'pr-link': `${serverUrl}/octo/docs/pull/77`,
    'pr-number': '77',
    model: 'sonnet',
    repository: `${serverUrl}/octo/docs`,
    ref: emulator.service.jobs()[0]?.branch,
    'created-at': emulator.service.jobs()[0]?.createdAt,
    'archived-at': '',
    'job-action': 'created',
    'duration-seconds': expect.stringMatching(/^\d+$/),
    'comment-url': `${serverUrl}/octo/app/issues/12#issuecomment-${emulator.github.comments(ISSUE).at(-1)?.id}`,
    'issue-number': String(ISSUE),
    checks: '',
    fixes: '',
  })
  const [comment] = emulator.bodies()
  expect(comment).toContain(`[run](${serverUrl}/octo/app/actions/runs/`)
  expect(comment).not.toContain('//github.com')
})

test.each([
  'http://github.com/octo/docs/pull/77',
  'javascript:alert(1)',
  'https://alice:hunter2@github.com/octo/docs/pull/77',
  'https://github.com/octo/docs/pull/77\n::set-output name=pr-link::https://evil.example',
  // No record has room for it.
  `https://github.com/octo/docs/${'pull/77/'.repeat(40)}`,
])('2.2 the link %j is not passed on, and a warning says so', async (pr) => {
  const emulator = world()
  emulator.service.everyTurn = { pr }
  const result = await emulator.ask('/docs Explain retries')
  expect(result).toMatchObject({ exitCode: 0, outputs: { outcome: 'no-pull-request', 'pr-link': '' } })
  expect(result.annotations).toMatchObject([
    { level: 'warning', message: expect.stringContaining('unusable link') },
  ])
  expect(emulator.lastWords()).toContain('cannot be used** for @alice')
  const everything = JSON.stringify([result.log, result.outputs, result.summary, emulator.bodies()])
  expect(everything).not.toMatch(/hunter2|evil|javascript|pull\/77/)
})

test.each([
  ['letters of three bytes', 'あ'.repeat(40_000)],
  ['back-ticks', '`'.repeat(110_000)],
])(
  '2.3 the summary stays under 1 MiB with a huge prompt of %s, and the service gets all of it',
  { tags: 'bundle' },
  async (_, prompt) => {
    const emulator = world()
    const result = await emulator.dispatch({ inputs: { prompt, guidelines: 'none' } })
    expect(result).toMatchObject({ exitCode: 0, fileErrors: [] })
    expect(result.summary).toMatch(/^## ✅ /)
    expect(Buffer.byteLength(result.summary)).toBeLessThan(2 ** 20)
    expect(emulator.service.jobs()[0]?.prompts[0]).toBe(prompt)
  },
)
