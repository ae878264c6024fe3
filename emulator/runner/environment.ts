import { dirname } from 'node:path'
import { userId } from '../github/shapes.ts'
import { isRecord } from '../http.ts'
import type { ActionMetadata } from './metadata.ts'
import type { ActionRun } from './run.ts'

type Env = Record<string, string>

const SHA = '5f3c2a9be1d04c7788aa6612cf09d3e4b7a1c2d3'

/** Inputs as the runner passes them on: all that are declared, upper case, blanks as underscores, hyphens kept. */
export function inputVariables(metadata: ActionMetadata, run: ActionRun): Env {
  const { settings, serviceUrl } = run.emulator
  const resolveDefault = (value: string) =>
    value.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => {
      if (expression === 'github.token') return settings.token
      if (expression === 'strategy.job-index') return '0'
      throw new Error(`The default "${value}" uses an expression that is not emulated.`)
    })
  const env: Env = {}
  for (const [name, value] of metadata.inputs) env[inputVariable(name)] = resolveDefault(value ?? '')
  // No test may reach the real service because it forgot an input.
  if (metadata.inputs.has('base-url')) env[inputVariable('base-url')] = serviceUrl
  for (const [name, value] of Object.entries(run.inputs ?? {})) env[inputVariable(name)] = value
  return env
}

const inputVariable = (name: string) => `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`

/** The `GITHUB_*` and `RUNNER_*` variables of a job. Nothing of this process is passed on, proxies included. */
export function jobVariables(
  run: ActionRun,
  folders: { workspace: string; temp: string; event: string },
): Env {
  const { settings, githubUrl, github } = run.emulator
  // By the name that it has now: a run after a renaming knows no other.
  const repository = github.repository(settings.repository)
  if (!repository) throw new Error(`No repository ${settings.repository}`)
  const [owner = ''] = repository.name.split('/')
  const { payload, name: eventName } = run.event
  const actor = run.actor ?? String(at(payload, 'sender', 'login') ?? 'alice')
  const ref = run.ref ?? String(at(payload, 'ref') ?? 'refs/heads/main')
  const workflow = run.workflow ?? 'Docs'
  const sha = run.sha ?? String(at(payload, 'after') ?? SHA)
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: folders.temp,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION: run.stepId ?? 'docs',
    GITHUB_ACTOR: actor,
    GITHUB_ACTOR_ID: String(userId(actor)),
    GITHUB_TRIGGERING_ACTOR: actor,
    GITHUB_API_URL: githubUrl,
    GITHUB_GRAPHQL_URL: `${githubUrl}/graphql`,
    GITHUB_SERVER_URL: settings.serverUrl,
    GITHUB_BASE_REF: String(at(payload, 'pull_request', 'base', 'ref') ?? ''),
    GITHUB_HEAD_REF: String(at(payload, 'pull_request', 'head', 'ref') ?? ''),
    GITHUB_EVENT_NAME: eventName,
    GITHUB_EVENT_PATH: folders.event,
    GITHUB_JOB: run.job ?? 'docs',
    GITHUB_REF: ref,
    GITHUB_REF_NAME: ref.replace(/^refs\/(heads|tags|pull)\//, ''),
    GITHUB_REF_TYPE: ref.startsWith('refs/tags/') ? 'tag' : 'branch',
    GITHUB_REF_PROTECTED: 'false',
    GITHUB_REPOSITORY: repository.name,
    GITHUB_REPOSITORY_ID: String(repository.id),
    GITHUB_REPOSITORY_OWNER: owner,
    GITHUB_REPOSITORY_OWNER_ID: String(userId(owner)),
    GITHUB_RETENTION_DAYS: '90',
    GITHUB_RUN_ID: String(run.runId ?? 9_000_001),
    GITHUB_RUN_NUMBER: '1',
    GITHUB_RUN_ATTEMPT: String(run.attempt ?? 1),
    GITHUB_SHA: sha,
    GITHUB_WORKFLOW: workflow,
    GITHUB_WORKFLOW_SHA: sha,
    GITHUB_WORKFLOW_REF: `${repository.name}/.github/workflows/docs.yml@${ref}`,
    GITHUB_WORKSPACE: folders.workspace,
    RUNNER_ARCH: 'X64',
    RUNNER_ENVIRONMENT: 'github-hosted',
    RUNNER_NAME: 'emulated',
    RUNNER_OS: 'Linux',
    RUNNER_TEMP: folders.temp,
    RUNNER_TOOL_CACHE: folders.temp,
    ...(run.debug ? { RUNNER_DEBUG: '1' } : {}),
  }
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value)
}
