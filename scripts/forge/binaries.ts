import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { keep } from './keeper.ts'

interface Program {
  readonly name: string
  readonly module: string
  readonly version: string
  readonly cgo: boolean
  readonly flags: readonly string[]
  /** Folders of its source that it reads while it runs. */
  readonly data: readonly string[]
  /** How long the build takes on two cores. */
  readonly takes: string
}

const GITEA: Program = {
  name: 'gitea',
  module: 'code.gitea.io/gitea',
  version: '1.26.4',
  cgo: true,
  flags: ['-tags', 'sqlite sqlite_unlock_notify', '-ldflags', '-X main.Version=1.26.4'],
  data: ['templates', 'options', 'public'],
  takes: 'about four minutes',
}

const RUNNER: Program = {
  name: 'runner',
  module: 'gitea.com/gitea/runner',
  version: '1.0.8',
  cgo: false,
  flags: [],
  data: [],
  takes: 'less than a minute',
}

/** The folders that hold the programs, which are called `gitea` and `runner`. */
export interface Binaries {
  readonly gitea: string
  readonly runner: string
}

/** Of what Go prints, in bytes. */
const MAX_OUTPUT = 64 * 1024 * 1024

/** Why there can be no forge on this machine. */
export class Unavailable extends Error {}

/** Builds what is not in the cache yet. @throws {Unavailable} when a tool is missing or a module cannot be had */
export async function ensureBinaries(log: (line: string) => void): Promise<Binaries> {
  const runner = await ensure(RUNNER, log)
  return { runner, gitea: await ensure(GITEA, log) }
}

/** Where the programs are, or would be. */
export const cached = (): Binaries => ({ gitea: folderOf(GITEA), runner: folderOf(RUNNER) })

const folderOf = ({ name, version }: Program): string =>
  join(
    process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
    'docs-agent',
    'forge',
    `${name}-${version}-${process.platform}-${process.arch}`,
  )

async function ensure(program: Program, log: (line: string) => void): Promise<string> {
  const folder = folderOf(program)
  const title = `${program.name} ${program.version}`
  if (existsSync(folder)) {
    log(`${title} is in the cache`)
    return folder
  }
  requireTools(program)
  mkdirSync(dirname(folder), { recursive: true })
  const scratch = mkdtempSync(`${folder}-`)
  const keeper = keep(scratch)
  const startedAt = Date.now()
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`
  const ticker = setInterval(() => log(`${title}: ${seconds()}`), 15_000)
  try {
    log(`${title} is downloaded and built, which takes ${program.takes} on two cores`)
    const env = { ...process.env, ...keeper.env, GOTMPDIR: scratch, CGO_ENABLED: program.cgo ? '1' : '0' }
    const source = join(scratch, 'source')
    cpSync(await download(program, env), source, { recursive: true })
    execFileSync('chmod', ['-R', 'u+w', source])
    const flags = ['-buildvcs=false', ...program.flags]
    await go(['list', '-deps', ...flags, '.'], source, env).catch(({ stderr }: Failed) => {
      throw new Unavailable(`the modules of ${title} cannot be had (${stderr.trim().split('\n').at(-1)}).`)
    })
    const made = join(scratch, 'made')
    await go(['build', ...flags, '-o', join(made, program.name), '.'], source, env)
    for (const name of program.data) renameSync(join(source, name), join(made, name))
    // Another build may have been faster.
    if (!existsSync(folder)) renameSync(made, folder)
    log(`${title} was built in ${seconds()}`)
    return folder
  } finally {
    clearInterval(ticker)
    await keeper.release()
    rmSync(scratch, { recursive: true, force: true })
  }
}

function requireTools({ cgo }: Program): void {
  if (process.platform !== 'linux') throw new Unavailable('Gitea and its runner are tried on Linux only.')
  if (spawnSync('go', ['version']).status !== 0) throw new Unavailable('Go is not on the PATH.')
  const compiler = spawnSync('go', ['env', 'CC'], { encoding: 'utf8' }).stdout.trim().split(' ')[0] || 'gcc'
  if (cgo && spawnSync(compiler, ['--version']).status !== 0)
    throw new Unavailable(`${compiler}, the C compiler that cgo needs, is not on the PATH.`)
}

/** What a program that failed has printed. */
interface Failed {
  readonly stdout: string
  readonly stderr: string
}

const go = (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) =>
  promisify(execFile)('go', args, { cwd, env, maxBuffer: MAX_OUTPUT })

/** @returns the folder with the source, which is read-only */
async function download({ module, version }: Program, env: NodeJS.ProcessEnv): Promise<string> {
  const name = `${module}@v${version}`
  const { stdout } = await go(['mod', 'download', '-json', name], '/', env).catch((failed: Failed) => {
    const { Error: reason = failed.stderr } = JSON.parse(failed.stdout || '{}') as { Error?: string }
    throw new Unavailable(`${name} cannot be had (${reason.split('\n')[0]}).`)
  })
  return (JSON.parse(stdout) as { Dir: string }).Dir
}
