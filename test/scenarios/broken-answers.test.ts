import { describe, expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import { CREATE, READ, world } from '../helpers/world.ts'

/** The answer with this status breaks off. */
const breaks = (status: number, headers: Record<string, string> = {}): Fault => ({
  kind: 'resetMidBody',
  when: 'before',
  status,
  headers,
})
const MARKDOWN = { host: 'github', method: 'POST', path: /\/markdown$/ } as const
const COMMENTS = { host: 'github', method: 'POST', path: /\/issues\/12\/comments$/ } as const

describe('an answer of the service that breaks', () => {
  test.each([
    [401, 'unauthorized', /Look in .* whether the key has expired/],
    [402, 'payment-required', /may have no credits left/],
    [403, 'forbidden', /IP allowlist of the key/],
    [413, 'rejected', /Ask for less at a time/],
  ])('4.3 %i refuses the request, and no doubt is left', async (status, reason, remedy) => {
    const emulator = world()
    emulator.faults.add({ match: CREATE, fault: breaks(status) })
    const result = await emulator.ask('/docs Explain retries')
    expect(result).toMatchObject({ exitCode: 1, outputs: { outcome: 'error', reason } })
    expect(emulator.lastWords()).toMatch(/The docs agent did not get the request/)
    expect(emulator.lastWords()).toMatch(remedy)
    expect(emulator.lastWords()).toContain(`HTTP ${status})`)
    expect(emulator.requests.filter(({ path }) => path.endsWith('/job'))).toHaveLength(1)
  })

  test.each([
    [429, {}],
    [429, { 'retry-after': '30' }],
    [503, { 'retry-after': '30' }],
  ])('4.3 a %i with %j is a limit, and the request is made again', async (status, headers) => {
    const emulator = world()
    emulator.faults.add({ match: CREATE, fault: breaks(status, headers as Record<string, string>), times: 2 })
    const result = await emulator.ask('/docs Explain retries')
    expect(result.outputs.outcome).toBe('pull-request')
    expect(emulator.promptCounts()).toEqual([1])
  })

  test('4.3 a 201 has accepted the request: in doubt, and it says what is known', async () => {
    const emulator = world()
    emulator.faults.add({ match: CREATE, fault: { kind: 'resetMidBody' } })
    const result = await emulator.ask('/docs Explain retries')
    expect(result.outputs).toMatchObject({ outcome: 'error', reason: 'creation-uncertain', 'job-id': '' })
    expect(emulator.lastWords()).toMatch(
      /The service accepted the request \(HTTP 201\), and the job's id was lost with the rest of the answer/,
    )
    expect(emulator.promptCounts()).toEqual([1])
  })

  test.each([
    [401, 'unauthorized'],
    [402, 'payment-required'],
    [403, 'forbidden'],
  ])('4.4 a read with %i ends the run at once', async (status, reason) => {
    const emulator = world()
    const fault = emulator.faults.add({ match: READ, fault: breaks(status), times: 99 })
    const result = await emulator.ask('/docs Explain retries')
    expect(result.outputs).toMatchObject({ outcome: 'error', reason })
    expect(emulator.requests.filter(({ path }) => READ.path.test(path))).toHaveLength(1)
    fault.remove()
  })
})

describe('an answer of GitHub that breaks', () => {
  test('5.7 a comment that GitHub took is written once', async () => {
    const emulator = world()
    emulator.faults.add({ match: COMMENTS, fault: { kind: 'resetMidBody' }, times: 2 })
    const result = await emulator.ask('/docs Explain retries')
    expect(result.outputs.outcome).toBe('pull-request')
    expect(
      emulator.requests.filter(({ method, path }) => method === 'POST' && COMMENTS.path.test(path)),
    ).toHaveLength(2)
    expect(emulator.bodies()).toHaveLength(1)
  })

  test.each([403, 404, 422])(
    '5.6 a comment refused with %i is refused as by a whole answer',
    async (status) => {
      const refuse = async (fault: Fault) => {
        const emulator = world()
        emulator.faults.add({ match: COMMENTS, fault })
        const { outputs, log } = await emulator.ask('/docs Explain retries')
        return { outcome: outputs.outcome, log, calls: emulator.calls() }
      }
      const broken = await refuse(breaks(status))
      const whole = await refuse({ kind: 'status', status, body: { message: 'No' } })
      expect(broken.log).toContain(`(HTTP ${status})`)
      expect([broken.outcome, broken.calls]).toEqual([whole.outcome, whole.calls])
    },
  )

  test.each([
    '> We retry five times.\n>\n> Never on Sundays.',
    '> 1. We retry five times.\n> 2. Then we stop.\n> 3. Never on Sundays.',
    '> We retry five times, <b>but never</b> on Sundays.',
  ])('4.2 half of a rendering does not go as whole: %j', async (quotation) => {
    const ask = async (fault?: Fault) => {
      const emulator = world()
      if (fault !== undefined) emulator.faults.add({ match: MARKDOWN, fault })
      const result = await emulator.ask(`/docs Explain this\n\n${quotation}`)
      expect(result.outputs.outcome).toBe('pull-request')
      return { prompt: emulator.prompts()[0], log: result.log }
    }
    expect((await ask()).prompt).toMatch(/We retry five times[\s\S]*on Sundays/)
    const half = await ask({ kind: 'truncated' })
    expect(half.prompt).not.toContain('five times')
    expect(half.prompt).toContain('Its words could not be read, and are left out.')
    expect(half.log).toContain('a part of the rendered text')
  })
})
