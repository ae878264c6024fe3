import { parseArgs } from 'node:util'
import { type Emulator, startEmulator } from './emulator.ts'
import { FAILURES } from './failing.ts'
import type { Host } from './http.ts'
import type { RequestEntry } from './requests.ts'

const kindsOf = (host: Host) => Object.keys(FAILURES[host]).join(', ')

const USAGE = `npm run emulator -- [--port N] [--job-seconds N] [--fail KIND] [--github-fail KIND]

  --port         port on 127.0.0.1 (default 4010; 0 for any free one)
  --job-seconds  how long each job takes (default 20)
  --fail         every request to the service fails: ${kindsOf('service')}
  --github-fail  every request to GitHub fails: ${kindsOf('github')}
`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4010' },
    'job-seconds': { type: 'string', default: '20' },
    fail: { type: 'string' },
    'github-fail': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

const FAIL_OPTIONS = [
  { host: 'service', option: 'fail', name: 'the service' },
  { host: 'github', option: 'github-fail', name: 'GitHub' },
] as const

if (values.help) process.stdout.write(USAGE)
else await serve()

async function serve(): Promise<void> {
  const durationMs = number('job-seconds') * 1000
  const failures = chosenFailures()
  const emulator = await startEmulator({ port: number('port'), onRequest: print })
  emulator.service.everyTurn = { durationMs }
  emulator.github.setPermission('alice', 'write')
  emulator.github.addIssue({ number: 12, title: 'The retry option is not documented', user: 'alice' })
  emulator.github.addComment(12, { login: 'alice', body: '/docs explain the retry option' })
  for (const { host, failure } of failures)
    emulator.faults.add({ match: { host }, times: Number.POSITIVE_INFINITY, fault: failure.fault })
  const warnings = failures.map(({ name, failure }) => `Every request to ${name} ${failure.says}.\n`)
  process.stdout.write(introduction(emulator, warnings.join('')))
  process.once('SIGINT', () => void emulator.close())
  process.once('SIGTERM', () => void emulator.close())
}

function introduction({ serviceUrl, githubUrl, settings }: Emulator, warnings: string): string {
  return `The emulator is listening. Ctrl-C ends it.
${warnings}
  service  ${serviceUrl}   project ${settings.projectId}, key ${settings.apiKey}
  GitHub   ${githubUrl}   repository ${settings.repository}, token ${settings.token}

It has one issue, ${settings.repository}#12, and one writer, alice, who comments there. To run that comment in nektos/act:

  act issue_comment --workflows emulator/play/workflow.yml --eventpath emulator/play/comment.json \\
    --platform ubuntu-latest=-self-hosted --env GITHUB_REPOSITORY=${settings.repository} \\
    --env GITHUB_API_URL=${githubUrl}

The workflow expects the service on port 4010. docs/trying-it-out.md has more.

`
}

function chosenFailures() {
  return FAIL_OPTIONS.flatMap(({ host, option, name }) => {
    const kind = values[option]
    if (kind === undefined) return []
    const failure = FAILURES[host][kind]
    return failure ? [{ host, name, failure }] : refuse(`--${option} takes ${kindsOf(host)}, not "${kind}".`)
  })
}

function print({ host, method, path, status, faults, at }: RequestEntry): void {
  const time = new Date(at).toISOString().slice(11, 19)
  const outcome = status === null ? 'no answer' : String(status)
  const fault = faults.length > 0 ? ` (${faults.join(', ')})` : ''
  process.stdout.write(`${time}  ${host.padEnd(7)}  ${method.padEnd(6)} ${path}  ${outcome}${fault}\n`)
}

function number(name: 'port' | 'job-seconds'): number {
  const value = Number(values[name])
  return Number.isInteger(value) && value >= 0
    ? value
    : refuse(`--${name} takes a whole number, not "${values[name]}".`)
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n\n${USAGE}`)
  process.exit(2)
}
