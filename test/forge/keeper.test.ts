import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'

const KEEPER = fileURLToPath(new URL('../../scripts/forge/keeper.ts', import.meta.url))

/** Keeps a folder, starts a process that starts another and works elsewhere, prints the folder's variable and waits. */
const PROGRAM = `
  import { spawn } from 'node:child_process'
  import { keep } from ${JSON.stringify(KEEPER)}
  const keeper = keep(process.argv[1])
  spawn('sh', ['-c', 'sleep 1000 & sleep 1000'], { cwd: '/', detached: true, env: { ...process.env, ...keeper.env } })
  setTimeout(() => process.argv[2] === 'release' ? keeper.release().then(() => process.exit()) : console.log('ready'), 500)
  setInterval(() => {}, 1000)
`

const processesWith = (text: string): number =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return ['environ', 'cmdline'].some((file) =>
          readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(text),
        )
      } catch {
        return false
      }
    }).length

test.for(['SIGKILL', 'SIGTERM', 'release'] as const)('nothing is left after %s', async (end) => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-keeper-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM, folder, end])
  await vi.waitFor(() => expect(processesWith(folder)).toBeGreaterThanOrEqual(4), 10_000)
  if (end !== 'release') child.kill(end)
  await vi.waitFor(() => expect([processesWith(folder), existsSync(folder)]).toEqual([0, false]), 10_000)
})
