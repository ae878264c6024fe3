import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
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
  mkdirSync(join(folder, '..'), { recursive: true })
  const scratch = mkdtempSync(`${folder}-`)
  const keeper = keep(scratch)
  const startedAt = Date.now()
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`
  const count = { downloaded: 0, built: 0 }
  const ticker = setInterval(
    () =>
      log(`${title}: ${count.downloaded} modules downloaded, ${count.built} packages built, ${seconds()}`),
    15_000,
  )
  try {
    log(`${title} is downloaded and built, which takes ${program.takes} on two cores`)
    const env = { ...process.env, ...keeper.env, GOTMPDIR: scratch, CGO_ENABLED: program.cgo ? '1' : '0' }
    const source = await download(program, env)
    const build = join(scratch, 'source')
    cpSync(source, build, { recursive: true })
    if (spawnSync('chmod', ['-R', 'u+w', build]).status !== 0)
      throw new Error(`${build} cannot be written to`)
    const onErrorLine = (line: string) => {
      count[line.startsWith('go: downloading') ? 'downloaded' : 'built'] += 1
    }
    const flags = ['-buildvcs=false', ...program.flags]
    const list = await run('go', ['list', '-deps', ...flags, '.'], { cwd: build, env, onErrorLine })
    if (list.code !== 0) throw new Unavailable(`the modules of ${title} cannot be had (${list.tail}).`)
    const made = join(scratch, 'made')
    const args = ['build', '-v', ...flags, '-o', join(made, program.name), '.']
    const { code, tail } = await run('go', args, { cwd: build, env, onErrorLine })
    if (code !== 0) throw new Error(`${title} does not build:\n${tail}`)
    for (const name of program.data) renameSync(join(build, name), join(made, name))
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

/** @returns the folder with the source, which is read-only */
async function download({ module, version }: Program, env: NodeJS.ProcessEnv): Promise<string> {
  const args = ['mod', 'download', '-json', `${module}@v${version}`]
  const { output, tail } = await run('go', args, { cwd: '/', env })
  const answer: { Dir?: string; Error?: string } = output === '' ? { Error: tail } : JSON.parse(output)
  if (answer.Dir !== undefined) return answer.Dir
  throw new Unavailable(`${module}@v${version} cannot be had (${answer.Error?.split('\n')[0]}).`)
}

interface RunOptions {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly onErrorLine?: (line: string) => void
}

async function run(command: string, args: readonly string[], { cwd, env, onErrorLine }: RunOptions) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const errors: string[] = []
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    output += part
  })
  createInterface(child.stderr).on('line', (line) => {
    errors.push(line)
    onErrorLine?.(line)
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { code, output, tail: errors.slice(-10).join('\n') }
}
