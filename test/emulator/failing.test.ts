import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import { FAILURES, failing } from '../../emulator/failing.ts'
import type { Host } from '../../emulator/http.ts'
import { APP, clients, emulate } from './helpers.ts'

const CASES = (['service', 'github'] as const).flatMap((host) =>
  Object.entries(FAILURES[host]).map(([kind, failure]) => ({ host, kind, failure })),
)

const get = (clientOf: ReturnType<typeof clients>, host: Host) =>
  host === 'service'
    ? clientOf.service('GET', '/v1/analytics/docs/visitors')
    : clientOf.github('GET', `${APP}/issues/1`)

test.each(CASES)(
  '$host: every request meets $kind, none of the other host does',
  async ({ host, kind, failure }) => {
    let slept = 0
    const sleep = async (ms: number) => {
      slept += ms
    }
    const emulator = kind === 'drop' ? await emulate() : createEmulator({ sleep })
    emulator.github.addIssue({ number: 1 })
    emulator.faults.add(failing(host, failure))
    const client = clients(emulator, emulator.fetch)
    for (const _ of [1, 2]) {
      if (kind === 'drop') await expect(get(client, host)).rejects.toThrow('fetch failed')
      else expect((await get(client, host)).status).toBe(kind === 'slow' ? 200 : Number(kind))
    }
    expect(slept > 0).toBe(kind === 'slow')
    slept = 0
    expect((await get(client, host === 'service' ? 'github' : 'service')).status).toBe(200)
    expect(slept).toBe(0)
  },
)

const INDEX = fileURLToPath(new URL('../../emulator/index.ts', import.meta.url))

function run(...args: string[]) {
  const child = spawn(process.execPath, [INDEX, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill())
  return child
}

test('the command line takes the failures, and says what they are', async () => {
  const child = run('--port', '0', '--fail', '402', '--github-fail', 'drop')
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    if (said.includes('nektos/act')) break
  }
  expect(said).toContain('Every request to the service answers 402.')
  expect(said).toContain('Every request to GitHub ends with a dropped connection.')
  const url = /base-url: (\S+)/.exec(said)?.[1] ?? ''
  expect((await fetch(`${url}/v2/agent/docs/job/j_1`)).status).toBe(402)
  await expect(fetch(`${url}/github/user`)).rejects.toThrow('fetch failed')
})

test.each([
  [['--help'], 0, /--github-fail +every request to GitHub fails: 401, 403/],
  [['--fail', '418'], 2, /--fail takes 401, 402, .*slow, not "418"/],
  [['--github-fail', '402'], 2, /--github-fail takes 401, 403/],
  [['--port', 'x'], 2, /--port takes a whole number/],
] as const)('%j exits with %i', async (args, code, said) => {
  const child = run(...args)
  const [out, err, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  expect([exitCode, out + err]).toEqual([code, expect.stringMatching(said)])
})
