import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Access, ForgeApi } from './api.ts'
import type { Binaries } from './binaries.ts'
import { keep } from './keeper.ts'

export interface Forge extends Access {
  readonly folder: string
  /** The administrator's. */
  readonly token: string
  readonly password: string
}

/** Where programs run, and what all of them get to see. */
interface Surroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** The administrator, who owns the action. */
export const ACTION_OWNER = 'OWNER'
const STARTS_WITHIN_MS = 600_000

/** A Gitea instance on a free port with a registered runner. It ends with this process at the latest. */
export async function startForge(
  binaries: Binaries,
): Promise<{ readonly forge: Forge; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-forge-'))
  const keeper = keep(folder)
  try {
    for (const name of ['home', 'tmp']) mkdirSync(join(folder, name))
    const certificate = certify(folder)
    const registration = randomBytes(20).toString('hex')
    const env = {
      ...keeper.env,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: join(folder, 'home'),
      TMPDIR: join(folder, 'tmp'),
      GITEA_RUNNER_REGISTRATION_TOKEN: registration,
      // What Go programs, git and Node.js read: the one authority that the instance's certificate has.
      SSL_CERT_FILE: certificate,
      GIT_SSL_CAINFO: certificate,
      NODE_EXTRA_CA_CERTS: certificate,
    }
    const around = { cwd: folder, env }
    const port = await freePort()
    const access = { url: `https://127.0.0.1:${port}`, certificate }
    const password = randomBytes(16).toString('hex')
    const token = await startGitea(around, binaries, { ...access, port, password })
    startRunner(around, binaries, access.url, registration)
    return { forge: { ...access, folder, token, password }, stop: keeper.release }
  } catch (error) {
    await keeper.release()
    throw error
  }
}

/** A certificate for 127.0.0.1, which is its own authority, and a key that lives a day. @returns its path */
function certify(folder: string): string {
  const certificate = join(folder, 'certificate.pem')
  const request = 'req -x509 -days 1 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'.split(' ')
  const name = ['-subj', '/CN=docs-agent tests', '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-keyout', join(folder, 'private.pem'), '-out', certificate]
  execFileSync('openssl', [...request, ...name, ...files], { stdio: 'pipe' })
  return certificate
}

interface Gitea extends Access {
  readonly port: number
  readonly password: string
}

/** @returns the administrator's token */
async function startGitea(around: Surroundings, { gitea }: Binaries, instance: Gitea): Promise<string> {
  const program = join(gitea, 'gitea')
  const config = join(around.cwd, 'app.ini')
  writeFileSync(config, configuration(around.cwd, gitea, instance.port))
  const cli = (command: string, ...args: string[]) =>
    execFileSync(program, [...command.split(' '), ...args, '--config', config], {
      ...around,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  cli('migrate')
  const made = cli(
    'admin user create --admin --must-change-password=false --access-token --access-token-scopes all',
    ...['--username', ACTION_OWNER, '--email', 'owner@example.com', '--password', instance.password],
  )
  const token = /[0-9a-f]{40}/.exec(made)?.[0]
  if (token === undefined) throw new Error(`Gitea gave no token:\n${made}`)
  const server = launch(around, 'gitea', program, ['web', '--config', config])
  await answers(new ForgeApi(instance, `token ${token}`), server, join(around.cwd, 'gitea.log'))
  return token
}

const configuration = (folder: string, binaries: string, port: number): string => `
I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
WORK_PATH = ${join(folder, 'gitea')}
[server]
PROTOCOL = https
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
DOMAIN = 127.0.0.1
ROOT_URL = https://127.0.0.1:${port}/
CERT_FILE = ${join(folder, 'certificate.pem')}
KEY_FILE = ${join(folder, 'private.pem')}
STATIC_ROOT_PATH = ${binaries}
DISABLE_SSH = true
OFFLINE_MODE = true
[database]
DB_TYPE = sqlite3
SQLITE_JOURNAL_MODE = WAL
[security]
INSTALL_LOCK = true
PASSWORD_HASH_ALGO = pbkdf2_v1
[service]
DISABLE_REGISTRATION = true
[repository]
DEFAULT_BRANCH = main
[indexer]
ISSUE_INDEXER_TYPE = db
[actions]
ENABLED = true
DEFAULT_ACTIONS_URL = self
[log]
LEVEL = warn
`

function startRunner(around: Surroundings, { runner }: Binaries, url: string, registration: string): void {
  const program = join(runner, 'runner')
  const config = join(around.cwd, 'runner.yaml')
  writeFileSync(
    config,
    `
log: { level: info }
runner:
  file: ${join(around.cwd, 'registration')}
  capacity: 4
  fetch_interval: 1s
  fetch_interval_max: 1s
  log_report_interval: 1s
  log_report_max_latency: 500ms
  state_report_interval: 1s
  labels: ['ubuntu-latest:host']
cache: { enabled: false }
host: { workdir_parent: ${join(around.cwd, 'work')} }
`,
  )
  const how = ['--name', 'forge', '--config', config, '--instance', url, '--token', registration]
  execFileSync(program, ['register', '--no-interactive', ...how], { ...around, stdio: 'pipe' })
  launch(around, 'runner', program, ['daemon', '--config', config])
}

/** Starts a program whose output goes into a file of its name. */
function launch(around: Surroundings, name: string, program: string, args: string[]): ChildProcess {
  const log = openSync(join(around.cwd, `${name}.log`), 'a')
  return spawn(program, args, { ...around, stdio: ['ignore', log, log] })
}

async function answers(api: ForgeApi, server: ChildProcess, log: string): Promise<void> {
  for (const deadline = Date.now() + STARTS_WITHIN_MS; Date.now() < deadline; await pause(100)) {
    if (server.exitCode !== null) break
    const version = await api.get('/version').catch(() => undefined)
    if (version !== undefined) return
  }
  throw new Error(`Gitea does not answer:\n${readFileSync(log, 'utf8')}`)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
