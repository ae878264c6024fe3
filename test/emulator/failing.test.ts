import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

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
