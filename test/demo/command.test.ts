import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { HANGS_AFTER_MS } from '../helpers/hangs.ts'

const DEMO = fileURLToPath(new URL('../../scripts/demo.ts', import.meta.url))

/** `npm run demo -- …` and what it has printed so far. */
function demo(...args: string[]) {
  const child = spawn(process.execPath, [DEMO, ...args], { env: { ...process.env, CI: 'true' } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed = { text: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.text += text
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, printed, ended }
}

test('with --open the demo plays on a page, which stays open until Ctrl+C', async () => {
  const { child, printed, ended } = demo('--open', '--fail')
  await vi.waitFor(() => expect(printed.text).toMatch(/127\.0\.0\.1:\d+/), HANGS_AFTER_MS)
  const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(printed.text)?.[0] ?? ''
  const watching = await fetch(new URL('events', url))
  await vi.waitFor(() => expect(printed.text).toContain('until Ctrl+C'), HANGS_AFTER_MS)
  expect(printed.text).toContain('Everything ended as expected.')
  expect((await fetch(url)).status).toBe(200)
  await watching.body?.cancel()
  child.kill('SIGINT')
  expect(await ended).toBe(0)
})

test('--help lists the demos', async () => {
  const { printed, ended } = demo('--help')
  expect(await ended).toBe(0)
  for (const name of ['refresh', 'visitors', 'insights', 'collect', '--fail', '--timeout', '--open'])
    expect(printed.text).toMatch(new RegExp(`^  ${name} +[A-Z]`, 'm'))
})

test('a name that does not exist is refused, with the list of demos', async () => {
  const { printed, ended } = demo('nonsense')
  expect(await ended).toBe(2)
  expect(printed.text).toContain('There is no demo "nonsense".')
  expect(printed.text).toContain('--open')
})
