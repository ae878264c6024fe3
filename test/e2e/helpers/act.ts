import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'
import { readLog, type WorkflowRun } from './log.ts'

type Values = Readonly<Record<string, string>>

export type Edit = (workflow: string) => string

export interface WorkflowEvent {
  readonly name: string
  readonly payload: unknown
}

export interface ActOptions {
  /** Path of the workflow, which is run as it stands, but for `queue:` and `environment:`, which act refuses and would not apply. */
  readonly workflow: string
  readonly event: WorkflowEvent
  /** `owner/name` */
  readonly repository: string
  /** The other files of the repository: text by path. */
  readonly files?: Values
  readonly secrets: Values
  readonly vars: Values
  /** For the steps' processes, below what the workflow says. */
  readonly env: Values
  /** Login of who caused the event, where the workflow reads it. */
  readonly actor?: string
  /** What people change in their copy of the workflow. */
  readonly edit?: Edit
  /** Path of the workflow of another repository that it calls. */
  readonly called?: string
}

export interface RunningWorkflow {
  readonly child: ChildProcess
  readonly done: Promise<WorkflowRun>
}

/** One run of a workflow in act, on this machine instead of in a container, in folders that go with the test. */
export function startAct(options: ActOptions): RunningWorkflow {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-act-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const repository = checkOut(join(folder, 'repository'), options)
  const event = join(folder, 'event.json')
  writeFileSync(event, JSON.stringify(options.event.payload))
  const repositories = [...localRepositories(options), ...calledRepository(join(folder, 'called'), options)]
  const local = repositories.flatMap((one) => ['--local-repository', one])
  const child = spawn(
    'act',
    [options.event.name, '--eventpath', event, ...local, ...flags(options, join(folder, 'artifacts'))],
    {
      cwd: repository,
      // The proxies, tokens and settings of this machine are not for these runs.
      env: { PATH: process.env.PATH, HOME: folder, XDG_CACHE_HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  return { child, done: finish(child) }
}

/** A repository with the one workflow, where act expects it. */
function checkOut(folder: string, options: ActOptions): string {
  const { workflow, repository, files = {} } = options
  const workflows = join(folder, '.github', 'workflows')
  mkdirSync(workflows, { recursive: true })
  writeFileSync(join(workflows, basename(workflow)), edited(workflow, options))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  // Nor is this machine's configuration of git.
  const env = { PATH: process.env.PATH, HOME: folder }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, stdio: 'pipe' })
  git('init', '--quiet', '--initial-branch=main')
  git('remote', 'add', 'origin', `https://github.com/${repository}`)
  git('add', '.')
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message=Workflow')
  return folder
}

/** A workflow as people change it, without what act does not take. */
const edited = (workflow: string, { edit = (text) => text }: Pick<ActOptions, 'edit'>): string =>
  edit(readFileSync(workflow, 'utf8')).replace(/^ +(queue: max|environment: .*)\n/gm, '')

/** Actions of others that examples use, and what runs in their place. act itself leaves out actions/checkout. */
const STAND_INS: Readonly<Record<string, string>> = {
  'actions/create-github-app-token': 'app-token',
  'actions/upload-artifact': 'artifact',
  'actions/download-artifact': 'artifact-download',
}

/** `owner/name@ref=folder`: the action, whose folders are the sub-actions, and each pinned action of others. */
function localRepositories({ workflow, called }: ActOptions): string[] {
  const text = [workflow, ...(called === undefined ? [] : [called])]
    .map((file) => readFileSync(file, 'utf8'))
    .join('')
  const others = [...text.matchAll(/uses: ([\w-]+\/[\w-]+)@(\S+)/g)].flatMap(([, action = '', ref]) => {
    const folder = STAND_INS[action]
    return folder === undefined ? [] : [`${action}@${ref}=${fileURLToPath(new URL(folder, import.meta.url))}`]
  })
  return [`OWNER/docs-agent@v1=${inject('checkout')}`, ...others]
}

/** The repository from which the workflow calls another one, with that one where it says. */
function calledRepository(folder: string, options: ActOptions): string[] {
  const { workflow, called } = options
  const [, repository = '', path = '', ref = ''] =
    /uses: ([\w-]+\/[\w-]+)\/(\.github\/\S+)@(\S+)/.exec(readFileSync(workflow, 'utf8')) ?? []
  if (called === undefined) return []
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), edited(called, options))
  return [`${repository}@${ref}=${folder}`]
}

/** @param artifacts where the jobs of a run leave files for each other */
function flags({ secrets, vars, env, actor }: ActOptions, artifacts: string): string[] {
  const pairs = (flag: string, values: Values) =>
    Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${value}`])
  return [
    '--json',
    ...['ubuntu-latest', 'self-hosted'].flatMap((label) => ['--platform', `${label}=-self-hosted`]),
    ...['--container-daemon-socket', '-', '--no-cache-server'],
    // Two jobs at once break act's cache of local repositories.
    ...['--concurrent-jobs', '1'],
    ...pairs('--secret', secrets),
    ...pairs('--var', vars),
    ...pairs('--env', { ...env, ARTIFACTS: artifacts }),
    ...(actor === undefined ? [] : ['--actor', actor]),
  ]
}

async function finish(child: ChildProcess): Promise<WorkflowRun> {
  const parts: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => parts.push(part))
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return readLog(Buffer.concat(parts).toString(), exitCode)
}
