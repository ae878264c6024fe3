import { expect, test, vi } from 'vitest'
import { asTime } from '../../src/base/json.ts'

test.each(['UTC', 'America/New_York', 'Asia/Kolkata'])(
  '8.1 a time without a zone is one of UTC, on a runner in %s, too',
  (zone) => {
    vi.stubEnv('TZ', zone)
    const noon = Date.UTC(2026, 6, 1, 12)
    expect(['2026-07-01T12:00:00', '2026-07-01 12:00', '2026-07-01T12:00:00.000'].map(asTime)).toEqual(
      Array(3).fill(noon),
    )
    expect(['2026-07-01T12:00:00Z', '2026-07-01T14:00:00+02:00'].map(asTime)).toEqual([noon, noon])
    expect(asTime('2026-07-01')).toBe(Date.UTC(2026, 6, 1))
    expect(['', 'soon', '2026-13-45T12:00:00', null, 7].map(asTime)).toEqual(Array(5).fill(0))
  },
)
