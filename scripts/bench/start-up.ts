import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Report } from './table.ts'

const BUNDLE = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const RUNS = 15
const MOST = 2.3

/** The bundle as a process that has nothing to do, beside a process of Node that makes one request. */
export async function startUp(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-bench-'))
  const event = join(folder, 'event.json')
  writeFileSync(
    event,
    JSON.stringify({ action: 'created', comment: { id: 1, body: 'Thanks!' }, issue: { number: 1 } }),
  )
  const env = {
    ...{ PATH: process.env.PATH ?? '', GITHUB_EVENT_NAME: 'issue_comment', GITHUB_EVENT_PATH: event },
    ...{ GITHUB_REPOSITORY: 'octo/app', 'INPUT_API-KEY': 'bench-key', 'INPUT_PROJECT-ID': 'docs' },
  }
  // In a thread of its own: this one waits for the processes.
  const server = new Worker(
    `const { createServer } = require('node:http'); const { parentPort } = require('node:worker_threads')
     const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`,
    { eval: true },
  )
  const port = await new Promise<number>((resolve) => server.once('message', resolve))
  const fetching = ['--eval', `fetch('http://127.0.0.1:${port}').then((answer) => answer.text())`]
  const times = { bundle: [] as number[], fetch: [] as number[] }
  for (let run = 0; run < RUNS; run++) {
    times.bundle.push(msOf([BUNDLE], env))
    times.fetch.push(msOf(fetching, env))
  }
  await server.terminate()
  rmSync(folder, { recursive: true })
  const [bundle, bare] = [median(times.bundle), median(times.fetch)]
  return {
    title: 'Start-up',
    note: `Milliseconds of a process, the median of ${RUNS}: the bundle for a comment that is no command, and a bare fetch.`,
    rows: {
      bundle: { ms: bundle, 'of a fetch': bundle / bare },
      'a bare fetch': { ms: bare, 'of a fetch': 1 },
    },
    goals: [{ what: 'start-up by a bare fetch', value: bundle / bare, limit: MOST }],
  }
}

function msOf(args: readonly string[], env: NodeJS.ProcessEnv): number {
  const from = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return performance.now() - from
}

const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
