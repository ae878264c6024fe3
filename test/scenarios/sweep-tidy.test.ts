import { expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import type { ActionRecord } from '../../src/record/record.ts'
import { signRecord, withoutRecord } from '../../src/record/signed-record.ts'
import { green, steppedWorld, sweep } from '../helpers/stepped-world.ts'
import { BOT, ISSUE, signingOf, type World } from '../helpers/world.ts'

// 8.6: of two sweeps at once, each may take its own comment of a request for the one that counts. One comment stays in every case.

const recordIn = (emulator: World): ActionRecord => {
  const [record] = emulator.records()
  if (record === undefined) throw new Error('nothing is recorded')
  return record
}

/** The comment that counts, and a younger one of an earlier time, as a slower sweep wrote it. */
async function twoComments() {
  const emulator = await steppedWorld({ heads: [green()] })
  for (let at = 0; at < 2; at += 1) await sweep(emulator)
  const record = recordIn(emulator)
  const [body = ''] = emulator.bodies()
  const post = (said: string, writtenAt: number) =>
    emulator.github.addComment(ISSUE, {
      login: BOT,
      body: `${said}\n\n${signRecord({ ...record, writtenAt }, signingOf(ISSUE))}`,
    })
  const [older] = emulator.written()
  const younger = post('**✅ Slower**', record.writtenAt - 1)
  emulator.clearRequests()
  const write = (id: number, said: string) => {
    const signed = signRecord({ ...record, writtenAt: record.writtenAt + 60_000 }, signingOf(ISSUE))
    emulator.github.editComment(id, `${said}\n\n${signed}`)
  }
  return { emulator, olderId: older?.id ?? 0, youngerId: younger.id, words: withoutRecord(body), write }
}

test('the younger one stays, with the words of the one that counts', async () => {
  const { emulator, youngerId, words } = await twoComments()
  await sweep(emulator)
  expect(emulator.written().map(({ id }) => id)).toEqual([youngerId])
  expect(emulator.bodies().map(withoutRecord)).toEqual([words])
  emulator.clearRequests()
  await sweep(emulator)
  expect(emulator.calls()).toEqual(['GET /repos/octo/app/issues/comments'])
})

test('the slower sweep, which takes the younger one for its own meanwhile, deletes the other one: the younger one stays', async () => {
  const { emulator, olderId, youngerId, write } = await twoComments()
  let isSlow = true
  emulator.faults.source = ({ method, path }): Fault | undefined => {
    const isLate = isSlow && method === 'DELETE' && /\/comments\/\d+$/.test(path)
    if (!isLate) return undefined
    isSlow = false
    write(youngerId, '**✅ Slower, and later**')
    emulator.github.deleteComment(olderId)
    return undefined
  }
  await sweep(emulator)
  expect(emulator.written().map(({ id }) => id)).toEqual([youngerId])
})

test('where the younger one changes before it gets those words, it keeps its own', async () => {
  const { emulator, youngerId, write } = await twoComments()
  let reads = 0
  emulator.faults.source = ({ method, path }): Fault | undefined => {
    if (method === 'GET' && path.startsWith(`/repos/octo/app/issues/${ISSUE}/comments`)) reads += 1
    if (reads === 2) write(youngerId, '**✅ Slower, and later**')
    return undefined
  }
  await sweep(emulator)
  expect(reads).toBeGreaterThan(1)
  expect(emulator.bodies().map(withoutRecord)).toContain('**✅ Slower, and later**')
  emulator.faults.source = () => undefined
  await sweep(emulator)
  expect(emulator.bodies().map(withoutRecord)).toEqual(['**✅ Slower, and later**'])
})

test('where the younger one is gone by then, the other one stays', async () => {
  const { emulator, olderId, youngerId, words } = await twoComments()
  emulator.faults.source = ({ method }): Fault | undefined => {
    if (method === 'PATCH') emulator.github.deleteComment(youngerId)
    return undefined
  }
  await sweep(emulator)
  expect(emulator.written().map(({ id }) => id)).toEqual([olderId])
  expect(emulator.bodies().map(withoutRecord)).toEqual([words])
})
