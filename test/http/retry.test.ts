import { expect, test } from 'vitest'
import { cancellation } from '../../src/base/deps.ts'
import { retryRead } from '../../src/http/retry.ts'
import { ServiceError } from '../../src/http/service.ts'

const AWAY = new ServiceError(
  { kind: 'status', status: 500, detail: '', retryAfterMs: undefined },
  { reason: 'service-unavailable', fate: 'open', sentence: 'It failed.' },
)

test.each([1, 400, 29_000])(
  '4.4 a read that takes %s ms beyond the deadline is followed by the last one, at once',
  async (beyond) => {
    let now = 0
    const [pauses, lines]: [number[], string[]] = [[], []]
    const deps = {
      ...{ fetch, now: () => now, monotonic: () => now, random: () => 0 },
      sleep: async (ms: number) => void pauses.push(ms),
      cancellation: cancellation(async () => {}),
      core: { info: (line: string) => void lines.push(line) },
    }
    const asked: number[] = []
    const read = async (leftMs: number) => {
      asked.push(leftMs)
      now = 1000 + beyond
      throw AWAY
    }
    const pause = async (until: number) => void pauses.push(until - now)
    const answer = await retryRead(deps, { deadline: 1000, pollMs: 15_000, pause }, read)
    expect(answer).toMatchObject({ kind: 'timeout', failed: AWAY })
    expect(asked).toEqual([1000, 10_000])
    expect([pauses, lines]).toEqual([[0], ['It failed. The run tries again in 0 s.']])
  },
)
