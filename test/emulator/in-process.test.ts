import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test('a request that stalls outlives the garbage collection, and hears of its end', async () => {
  const { fetch, faults, serviceUrl } = createEmulator()
  faults.add({ fault: { kind: 'stall' } })
  const stop = new AbortController()
  let error: unknown
  fetch(serviceUrl, { signal: AbortSignal.any([stop.signal]) }).catch((reason) => {
    error = reason
  })
  for (let turns = 0; turns < 10; turns += 1) await turn()
  collectGarbage()
  stop.abort('enough')
  for (let turns = 0; turns < 10; turns += 1) await turn()
  expect(error).toBe('enough')
})
