import { describe, expect, test } from 'vitest'
import { sign, signingKey, signRecord } from '../../src/record/signed-record.ts'
import { codeWorld, FIRST, file, happens, pushes } from '../helpers/code-world.ts'
import { testMatrix } from '../helpers/matrix.ts'
import { BOT, expectOutcome, ISSUE, signingOf, type World, world } from '../helpers/world.ts'

// Contract 5.1: the records of a thread are its log. What is in it counts as far as it goes, and nothing is asked again for it.

const RECORD = /<!-- docs-agent:\d+:\S+ -->/
const recordsIn = (emulator: World, thread: number) =>
  emulator.written(thread).flatMap(({ body }) => RECORD.exec(body)?.[0] ?? [])

testMatrix([[11], [61]], (at) => at === 0)(
  '5.1 a record has at most 2,000 characters, after %i pushes, too',
  async (pushed) => {
    const emulator = codeWorld()
    const inputs = { reviewers: 'bob, carol', labels: 'docs', 'fix-attempts': '2' }
    expectOutcome(await happens(emulator, 'opened', { inputs }), 'pull-request')
    const files = [...FIRST]
    const longest = () => Math.max(...recordsIn(emulator, 30).map((record) => record.length))
    expect(longest()).toBeLessThanOrEqual(2000)
    for (let push = 2; push <= pushed; push++) {
      const next = file(`src/file-${push}.ts`, `change ${push}`)
      files.push(next)
      await pushes(emulator, { files: [...files], commit: [next] }, { inputs })
    }
    expect(longest()).toBeLessThanOrEqual(2000)
  },
)

describe('5.1 what stands in a log beside the records of now', () => {
  const body = (record: string) => `Words\n\n${record}`
  /** The first result of the thread, as a record. */
  const first = (emulator: World) => {
    const [record] = emulator.records()
    if (record === undefined) throw new Error('no record')
    return record
  }
  const HOUR = 3_600_000
  const planted: readonly (readonly [string, (emulator: World) => string])[] = [
    ['one that is cut off', (e) => body(signRecord(first(e), signingOf())).slice(0, -40)],
    ['one that is forged', (e) => body(signRecord(first(e), { ...signingOf(), key: signingKey('another') }))],
    ['one of another project', (e) => body(signRecord(first(e), { ...signingOf(), projectId: 'another' }))],
    ['one of another thread', (e) => body(signRecord(first(e), signingOf(ISSUE + 1)))],
    ['one of another version', (e) => body(signRecord(first(e), signingOf()).replace(':2:', ':9:'))],
    ['no JSON', () => body(sign('x', signingOf()))],
    ['a list', () => body(sign('[]', signingOf()))],
    ['one without a state', () => body(sign('{}', signingOf()))],
    ['one of a state that no version knows', () => body(sign('{"state":"later"}', signingOf()))],
    [
      'one with a wrong type in each field',
      (e) => {
        const wrong = Object.entries(first(e)).map(([name, value]) => [
          name,
          typeof value === 'number' ? [] : 7,
        ])
        return body(sign(JSON.stringify({ ...Object.fromEntries(wrong), state: 'ended' }), signingOf()))
      },
    ],
    [
      'one dated an hour ahead',
      (e) =>
        body(signRecord({ ...first(e), writtenAt: first(e).writtenAt + HOUR, requestedAt: 1 }, signingOf())),
    ],
    ['a copy', (e) => body(signRecord(first(e), signingOf()))],
  ]

  test.each(planted)('%s: the job goes on, and each is asked once', async (_, plant) => {
    const emulator = world()
    expectOutcome(await emulator.ask('/docs explain (first)', { runId: 1 }), 'pull-request')
    emulator.github.addComment(ISSUE, { login: BOT, type: 'Bot', body: plant(emulator) })
    expectOutcome(await emulator.ask('/docs shorten (second)', { runId: 2 }), 'pull-request')
    expect(emulator.promptCounts()).toEqual([2])
    expectOutcome(await emulator.ask('/docs status', { runId: 3 }), 'skipped', 'status')
    expect(emulator.lastWords()).toContain('is `completed`')
  })
})

test('5.1 a person deletes any one comment: no run fails, and no other request is asked again', async () => {
  for (const gone of [0, 1, 2]) {
    const emulator = world()
    for (const runId of [1, 2, 3]) await emulator.ask(`/docs explain part ${runId}`, { runId })
    emulator.github.deleteComment(emulator.written()[gone]?.id ?? 0)
    const asked = () => emulator.promptCounts().reduce((sum, count) => sum + count, 0)
    expect(asked()).toBe(3)
    await emulator.collect()
    expectOutcome(await emulator.ask('/docs status', { runId: 4 }), 'skipped', 'status')
    expect(emulator.lastWords()).toContain('is `completed`')
    expectOutcome(await emulator.ask('/docs more', { runId: 5 }), 'pull-request')
    expect(asked()).toBe(4)
    expect(emulator.service.jobs()).toHaveLength(1)
  }
})

describe('3.13 where comments of earlier pushes cannot be hidden', () => {
  const GRAPHQL = { host: 'github', method: 'POST', path: /graphql$/ } as const
  test.each([
    ['GitHub refuses', { kind: 'status', status: 403 }],
    ['the server does not know how', { kind: 'status', status: 404 }],
    ['the answer is none', { kind: 'html' }],
  ] as const)('%s: one warning, and the result stands', async (_, fault) => {
    const emulator = codeWorld()
    await happens(emulator, 'opened')
    emulator.faults.add({ match: GRAPHQL, times: 9, fault })
    const next = file('src/next.ts', 'next')
    const result = await pushes(emulator, { files: [...FIRST, next], commit: [next] })
    expectOutcome(result, 'pull-request')
    expect(result.annotations.filter(({ level }) => level === 'warning')).toHaveLength(1)
    expect(emulator.bodies(30)).toHaveLength(2)
  })
})
