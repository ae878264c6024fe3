import { expect, test } from 'vitest'
import { act, bodies, calls, expectOutcome, lastWords, ownWorld, say, world } from './conversation-helpers.ts'

test('4.3 5.2 an error body nested without end does not hide that the job may have been started', async () => {
  const emulator = await world()
  const body = '['.repeat(2000) + ']'.repeat(2000)
  emulator.faults.add({
    match: { host: 'service', method: 'POST' },
    fault: { kind: 'status', when: 'after', status: 500, body },
  })
  const said = say(emulator, '/docs explain')
  expectOutcome(await act(emulator, said), 'error', 'creation-uncertain')
  expect(emulator.service.jobs()).toHaveLength(1)
})

test('3.3 the author of a discussion comment is checked, too', async () => {
  const emulator = await world()
  const event = (author: string, action = 'created') => ({
    name: 'discussion_comment',
    payload: {
      action,
      comment: { id: 5, body: 'hello', user: { login: author, type: 'User' } },
      sender: { login: 'alice', type: 'User' },
    },
  })
  const inputs = { prompt: 'Summarise' }
  expectOutcome(await act(emulator, event('mallory'), { inputs }), 'skipped', 'permission-denied')
  expectOutcome(await act(emulator, event('alice', 'edited'), { inputs }), 'skipped', 'not-a-new-comment')
  expect(emulator.service.jobs()).toEqual([])
  expectOutcome(await act(emulator, event('alice'), { inputs }), 'pull-request')
})

test('3.3 a comment whose author cannot be read is denied', async () => {
  const emulator = await world()
  const said = say(emulator, '/docs explain')
  const payload = { ...said.payload, comment: { id: said.id, body: '/docs explain', user: null } }
  expectOutcome(await act(emulator, { ...said, payload }), 'skipped', 'permission-denied')
  expect(calls(emulator, 'service')).toEqual([])
})

test('5.7 the token follows no link to another host', async () => {
  const [emulator, elsewhere] = [await world(), await world()]
  const headers = { link: `<${elsewhere.githubUrl}/steal>; rel="next"`, 'content-type': 'application/json' }
  emulator.faults.add({
    match: { host: 'github', method: 'GET', path: /comments$/ },
    times: Number.POSITIVE_INFINITY,
    fault: { kind: 'status', status: 200, headers, body: '[]' },
  })
  expectOutcome(await act(emulator, say(emulator, '/docs explain')), 'error', 'github-unavailable')
  expect([elsewhere.requests, calls(emulator, 'service')]).toEqual([[], []])
})

test('4.9 skip starts nothing where nobody can see whether a pull request is open', async () => {
  const emulator = await world()
  const event = { name: 'schedule', payload: { schedule: '0 0 * * 1' } }
  const inputs = { prompt: 'Refresh', conversation: 'skip', 'issue-number': '999' }
  const result = await act(emulator, event, { inputs })
  expectOutcome(result, 'error', 'bad-input')
  expect(result.annotations.map(({ message }) => message).join()).toContain('check issue-number')
  expect(calls(emulator, 'service')).toEqual([])
  const noThread = await act(emulator, event, { inputs: { prompt: 'Refresh', conversation: 'skip' } })
  expectOutcome(noThread, 'pull-request')
  expect(noThread.annotations.map(({ message }) => message).join()).toContain('has no thread')
})

test('1.1 a key that the service returns as a field of the job reaches nobody', async () => {
  const emulator = await ownWorld()
  emulator.service.script.push({
    fields: { model: 'test-key', source: { repository: 'test-key', ref: 'test-key' } },
  })
  const result = await act(emulator, say(emulator, '/docs explain'))
  expectOutcome(result, 'pull-request')
  expect(JSON.stringify([result.outputs, result.summary, bodies(emulator)])).not.toContain('test-key')
})

test('5.2 a re-run that does not wait leaves a reported result alone', async () => {
  const emulator = await world()
  const said = say(emulator, '/docs explain')
  expectOutcome(await act(emulator, said), 'pull-request')
  const told = lastWords(emulator)
  const again = await act(emulator, said, { attempt: 2, inputs: { wait: 'false' } })
  expectOutcome(again, 'pull-request')
  expect(again.outputs['job-action']).toBe('resumed')
  expect(lastWords(emulator)).toBe(told)
  expect(emulator.service.jobs()).toHaveLength(1)
})
