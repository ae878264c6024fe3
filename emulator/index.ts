import { parseArgs } from 'node:util'
import { type Emulator, startEmulator } from './emulator.ts'
import type { RequestEntry } from './requests.ts'

const USAGE = `npm run emulator -- [--port N] [--seed N] [--site-rows N] [--job-seconds N]

  --port         port on 127.0.0.1 (default 4010; 0 for any free one)
  --seed         makes ids and visitor figures repeatable (default 1)
  --site-rows    pages of the site that has visitors (default 37)
  --job-seconds  how long each job takes (default 20)
`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4010' },
    seed: { type: 'string', default: '1' },
    'site-rows': { type: 'string', default: '37' },
    'job-seconds': { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(USAGE)
else await serve()

async function serve(): Promise<void> {
  const durationMs = number('job-seconds') * 1000
  const emulator = await startEmulator({ port: number('port'), seed: number('seed'), onRequest: print })
  emulator.service.site = { rows: number('site-rows') }
  emulator.service.everyTurn = { durationMs }
  emulator.github.setPermission('alice', 'write')
  emulator.github.addIssue({ number: 12, title: 'Explain the retry option', user: 'alice' })
  process.stdout.write(introduction(emulator))
  process.once('SIGINT', () => void emulator.close())
  process.once('SIGTERM', () => void emulator.close())
}

function introduction({ serviceUrl, githubUrl, settings }: Emulator): string {
  return `The emulator is listening. Ctrl-C ends it.

  service  ${serviceUrl}   project ${settings.projectId}, key ${settings.apiKey}
  GitHub   ${githubUrl}   repository ${settings.repository}, token ${settings.token}

It has one issue, ${settings.repository}#12, and one writer, alice. To point a run of a workflow at it:

  env:
    GITHUB_API_URL: ${githubUrl}
  with:
    base-url: ${serviceUrl}
    project-id: ${settings.projectId}
    api-key: ${settings.apiKey}
    github-token: ${settings.token}

`
}

function print({ host, method, path, status, faults, at }: RequestEntry): void {
  const time = new Date(at).toISOString().slice(11, 19)
  const outcome = status === null ? 'no answer' : String(status)
  const fault = faults.length > 0 ? ` (${faults.join(', ')})` : ''
  process.stdout.write(`${time}  ${host.padEnd(7)}  ${method.padEnd(6)} ${path}  ${outcome}${fault}\n`)
}

function number(name: 'port' | 'seed' | 'site-rows' | 'job-seconds'): number {
  const value = Number(values[name])
  if (Number.isInteger(value) && value >= 0) return value
  process.stderr.write(`--${name} takes a whole number, not "${values[name]}".\n\n${USAGE}`)
  process.exit(2)
}
