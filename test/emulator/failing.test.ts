import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { simulatedClock } from '../../emulator/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { FAILURES } from '../../emulator/failing.ts'
import { APP, clients } from './helpers.ts'

const CASES = (['service', 'github'] as const).flatMap((host) =>
  Object.entries(FAILURES[host]).map(([kind, failure]) => ({ host, kind, failure })),
)

test.each(CASES)('$host: a request that meets $kind', async (given) => {
  const { host, kind, failure } = given
  const clock = simulatedClock()
  const emulator = createEmulator(clock)
  const { service, github } = clients(emulator, emulator.fetch)
  emulator.github.addIssue({ number: 1 })
  emulator.faults.add({ match: { host }, fault: failure.fault })
  const write = () => {
    const signal = AbortSignal.timeout(200)
    return host === 'service'
      ? service('POST', '/v2/agent/docs/job', { prompt: 'x' }, {}, signal)
      : github('POST', `${APP}/issues/1/comments`, { body: 'x' }, {}, signal)
  }
  const written = () => (host === 'service' ? emulator.service.jobs() : emulator.github.comments(1)).length
  const status = await write().then(
    (answer) => answer.status,
    () => 'none',
  )
  const expected = new Map<string, unknown>([
    ...['drop', 'drop-after', 'timeout'].map((name) => [name, 'none'] as const),
    ...[['slow', 201] as const, ['504-late', 504] as const],
    ...['retry-after', 'secondary-limit'].map((name) => [name, 403] as const),
  ])
  expect(status).toBe(expected.get(kind) ?? Number(kind))
  expect(written()).toBe(kind === 'drop-after' || kind === 'slow' ? 1 : 0)
  expect(clock.passed()).toBe(kind === 'slow' ? 10_000 : 0)
  await clock.sleep(60_000)
  expect(written()).toBe(['drop-after', 'slow', '504-late'].includes(kind) ? 1 : 0)
  expect((await write()).status).toBe(201)
})

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
  const url = /(http\S+) +project/.exec(said)?.[1] ?? ''
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
