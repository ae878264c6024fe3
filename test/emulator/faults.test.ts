import { describe, expect, test } from 'vitest'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { clients, emulate } from './helpers.ts'

const JOB = '/v2/agent/docs/job'

describe.each([
  ['over a socket', emulate, () => fetch],
  ['in-process', async () => createEmulator(), (emulator: Emulator) => emulator.fetch],
] as const)('%s', (_, start, fetchOf) => {
  async function setUp() {
    const emulator = await start()
    const via = fetchOf(emulator)
    const create = () => clients(emulator, via).service('POST', JOB, { prompt: 'x' })
    return { emulator, via, create }
  }

  test('a status strikes so many matching requests, after so many that pass', async () => {
    const { emulator, create } = await setUp()
    const fault = {
      kind: 'status',
      status: 429,
      headers: { 'retry-after': '3' },
      body: { error: 'slow down' },
    } as const
    const handle = emulator.faults.add({ match: { method: 'POST', path: /job$/ }, skip: 1, times: 2, fault })
    expect((await create()).status).toBe(201)
    const struck = await create()
    expect(struck).toMatchObject({ status: 429, body: { error: 'slow down' } })
    expect(struck.headers.get('retry-after')).toBe('3')
    expect((await create()).status).toBe(429)
    expect((await create()).status).toBe(201)
    expect(handle.fired()).toBe(2)
    expect(emulator.service.jobs()).toHaveLength(2)
  })

  test('a reset before leaves no job, a reset after leaves one', async () => {
    const { emulator, create } = await setUp()
    emulator.faults.add({ fault: { kind: 'reset' } })
    await expect(create()).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } })
    expect(emulator.service.jobs()).toHaveLength(0)
    emulator.faults.add({ fault: { kind: 'reset', when: 'after' } })
    await expect(create()).rejects.toThrow('fetch failed')
    expect(emulator.service.jobs()).toHaveLength(1)
    expect(emulator.requests.map(({ status, faults }) => ({ status, faults }))).toEqual([
      { status: null, faults: ['reset'] },
      { status: null, faults: ['reset'] },
    ])
  })

  test('a body breaks off, is cut short, is of another shape, is a page, is huge', async () => {
    const { emulator, via, create } = await setUp()
    emulator.faults.add({ fault: { kind: 'resetMidBody' } })
    await expect(create()).rejects.toThrow('terminated')
    emulator.faults.add({ fault: { kind: 'truncated' } })
    await expect(create()).rejects.toThrow(SyntaxError)
    emulator.faults.add({ fault: { kind: 'wrongType' } })
    expect((await create()).body).toEqual(['surprise'])
    emulator.faults.add({ fault: { kind: 'html' } })
    const page = await via(emulator.serviceUrl)
    expect(page.headers.get('content-type')).toContain('text/html')
    await page.text()
    emulator.faults.add({ fault: { kind: 'oversize', bytes: 300_000 } })
    expect(await (await via(emulator.serviceUrl)).text()).toHaveLength(300_000)
  })

  test('a stall ends when the client gives up, a redirect is handed on, a slow body arrives whole', async () => {
    const { emulator, via, create } = await setUp()
    const given = new AbortController()
    emulator.faults.add({ fault: { kind: 'call', call: () => given.abort(new Error('enough')) } })
    emulator.faults.add({ fault: { kind: 'stall' } })
    await expect(via(emulator.serviceUrl, { signal: given.signal })).rejects.toThrow('enough')
    emulator.faults.add({ fault: { kind: 'redirect', location: 'http://127.0.0.1:1/elsewhere' } })
    const moved = await create()
    expect(moved.status).toBe(307)
    expect(moved.headers.get('location')).toBe('http://127.0.0.1:1/elsewhere')
    emulator.faults.add({ fault: { kind: 'slowBody', chunkBytes: 100, pauseMs: 1 } })
    expect((await create()).body.status).toBe('active')
  })

  test('a call runs before or after the request is processed, beside another fault', async () => {
    const { emulator, create } = await setUp()
    const seen: unknown[] = []
    const call = ({ path }: { path: string }) => void seen.push([path, emulator.service.jobs().length])
    emulator.faults.add({ fault: { kind: 'call', when: 'before', call } })
    emulator.faults.add({ fault: { kind: 'call', when: 'after', call } })
    emulator.faults.add({ fault: { kind: 'status', status: 502, when: 'after' } })
    expect((await create()).status).toBe(502)
    expect(seen).toEqual([
      [JOB, 0],
      [JOB, 1],
    ])
  })
})

test('in-process, a refusal and a foreign host fail as in Node', async () => {
  const emulator = createEmulator()
  emulator.faults.add({ fault: { kind: 'refuse' } })
  await expect(emulator.fetch(emulator.serviceUrl)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  await expect(emulator.fetch('http://127.0.0.1:1/')).rejects.toMatchObject({
    cause: { code: 'ECONNREFUSED' },
  })
})

test('the log shows requests as they came, and what is read is not changed by it', async () => {
  const emulator = await emulate()
  emulator.github.addIssue()
  const { service, github } = clients(emulator)
  await service('POST', JOB, { prompt: 'x' })
  const before = emulator.requests
  await github('GET', '/repos/octo/app/issues/1?x=1')
  expect(before).toHaveLength(1)
  expect(emulator.requests).toMatchObject([
    { host: 'service', method: 'POST', path: JOB, body: { prompt: 'x' }, status: 201 },
    { host: 'github', method: 'GET', path: '/repos/octo/app/issues/1', query: { x: '1' }, status: 200 },
  ])
})
