import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { openSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Access, ForgeApi } from './api.ts'
import type { Binaries } from './binaries.ts'
import { type Account, certify, type Folder, folderOf, unprivileged } from './files.ts'
import { keep } from './keeper.ts'

export interface Forge extends Access {
  readonly folder: string
  /** The administrator's. */
  readonly token: string
  readonly password: string
}

export interface RunningForge {
  readonly forge: Forge
  stop(): Promise<void>
}

interface Programs {
  readonly folder: Folder
  readonly account: Account
  readonly env: Readonly<Record<string, string>>
}

/** The administrator, who owns the action. */
export const ACTION_OWNER = 'OWNER'
const STARTS_WITHIN_MS = 60_000

/** A Gitea instance on a free port with a registered runner. It ends with this process at the latest. */
export async function startForge(binaries: Binaries): Promise<RunningForge> {
  const account = unprivileged()
  const folder = folderOf(account)
  const keeper = keep(folder.path)
  try {
    const { certificate, key } = certify(folder)
    folder.program('node', process.execPath)
    const home = folder.directory('home')
    const env = {
      ...keeper.env,
      PATH: `${join(folder.path, 'bin')}:${process.env.PATH}`,
      HOME: home,
      TMPDIR: folder.directory('tmp'),
      USER: 'nobody',
      // What Go programs, git and Node.js read: the one authority that the instance's certificate has.
      SSL_CERT_FILE: certificate,
      GIT_SSL_CAINFO: certificate,
      NODE_EXTRA_CA_CERTS: certificate,
    }
    const programs = { folder, account, env }
    const port = await freePort()
    const url = `https://127.0.0.1:${port}`
    const password = randomBytes(16).toString('hex')
    const registration = randomBytes(20).toString('hex')
    const token = await startGitea(programs, binaries, {
      url,
      port,
      certificate,
      key,
      password,
      registration,
    })
    startRunner(programs, binaries, { url, registration })
    return { forge: { folder: folder.path, url, certificate, token, password }, stop: keeper.release }
  } catch (error) {
    await keeper.release()
    throw error
  }
}

interface Gitea {
  readonly url: string
  readonly port: number
  readonly certificate: string
  readonly key: string
  readonly password: string
  readonly registration: string
}

/** @returns the administrator's token */
async function startGitea(programs: Programs, binaries: Binaries, gitea: Gitea): Promise<string> {
  const { folder, account, env } = programs
  const program = folder.program('gitea', join(binaries.gitea, 'gitea'))
  execFileSync('cp', [
    '-R',
    ...['templates', 'options', 'public'].map((name) => join(binaries.gitea, name)),
    folder.directory('static'),
  ])
  const config = folder.file('app.ini', configuration(folder, gitea))
  const options = {
    cwd: folder.path,
    env: { ...env, GITEA_RUNNER_REGISTRATION_TOKEN: gitea.registration },
    ...account,
  }
  const cli = (...args: string[]) =>
    execFileSync(program, [...args, '--config', config], {
      ...options,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  cli('migrate')
  const who = ['--username', ACTION_OWNER, '--email', 'owner@example.com', '--password', gitea.password]
  const made = cli(
    'admin',
    'user',
    'create',
    '--admin',
    '--must-change-password=false',
    '--access-token',
    '--access-token-scopes',
    'all',
    ...who,
  )
  const token = /[0-9a-f]{40}/.exec(made)?.[0]
  if (token === undefined) throw new Error(`Gitea gave no token:\n${made}`)
  const server = launch(programs, 'gitea', program, ['web', '--config', config], options.env)
  await answers(new ForgeApi(gitea, `token ${token}`), server, join(folder.path, 'gitea.log'))
  return token
}

const configuration = (folder: Folder, { url, port, certificate, key }: Gitea): string => `
WORK_PATH = ${folder.directory('gitea')}
[server]
PROTOCOL = https
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
DOMAIN = 127.0.0.1
ROOT_URL = ${url}/
CERT_FILE = ${certificate}
KEY_FILE = ${key}
STATIC_ROOT_PATH = ${folder.directory('static')}
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

function startRunner(
  { folder, account, env }: Programs,
  binaries: Binaries,
  { url, registration }: Pick<Gitea, 'url' | 'registration'>,
): void {
  const program = folder.program('gitea-runner', join(binaries.runner, 'runner'))
  const config = folder.file(
    'runner.yaml',
    `
log: { level: info }
runner:
  file: ${join(folder.directory('runner'), 'registration')}
  capacity: 4
  fetch_interval: 1s
  fetch_interval_max: 1s
  log_report_interval: 1s
  log_report_max_latency: 500ms
  state_report_interval: 1s
  labels: ['ubuntu-latest:host']
cache: { enabled: false }
host: { workdir_parent: ${folder.directory('work')} }
`,
  )
  const register = [
    'register',
    '--no-interactive',
    '--config',
    config,
    '--instance',
    url,
    '--token',
    registration,
  ]
  execFileSync(program, [...register, '--name', 'forge'], {
    cwd: folder.path,
    env,
    ...account,
    stdio: 'pipe',
  })
  launch({ folder, account, env }, 'runner', program, ['daemon', '--config', config], env)
}

/** Starts a program whose output goes into a file of its name. */
function launch(
  { folder, account }: Programs,
  name: string,
  program: string,
  args: string[],
  env: Programs['env'],
): ChildProcess {
  const log = openSync(folder.file(`${name}.log`, ''), 'a')
  return spawn(program, args, { cwd: folder.path, env, ...account, stdio: ['ignore', log, log] })
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
