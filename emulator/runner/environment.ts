import { dirname } from 'node:path'
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
  // No test may reach the real service because it forgot an input.
  for (const { name, default: value = '' } of metadata.inputs)
    env[inputVariable(name)] = name === 'base-url' ? serviceUrl : resolveDefault(value)
  for (const [name, value] of Object.entries(run.inputs ?? {})) env[inputVariable(name)] = value
  return env
}

const inputVariable = (name: string) => `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`

/** The variables of a job that the action or its toolkit reads. Nothing of this process is passed on, proxies included. */
export function jobVariables(
  run: ActionRun,
  folders: { workspace: string; temp: string; event: string },
): Env {
  const { settings, githubUrl, github } = run.emulator
  const repository = github.repository(settings.repository)
  if (!repository) throw new Error(`No repository ${settings.repository}`)
  const { payload, name: eventName } = run.event
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: folders.temp,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION: 'docs',
    GITHUB_ACTOR: String(at(payload, 'sender', 'login') ?? 'alice'),
    GITHUB_TRIGGERING_ACTOR: 'alice',
    GITHUB_API_URL: githubUrl,
    GITHUB_GRAPHQL_URL: `${githubUrl}/graphql`,
    GITHUB_SERVER_URL: settings.serverUrl,
    GITHUB_EVENT_NAME: eventName,
    GITHUB_EVENT_PATH: folders.event,
    GITHUB_JOB: 'docs',
    GITHUB_REF: run.ref ?? String(at(payload, 'ref') ?? 'refs/heads/main'),
    GITHUB_REPOSITORY: repository.name,
    GITHUB_REPOSITORY_ID: String(repository.id),
    GITHUB_RUN_ID: String(run.runId ?? 9_000_001),
    GITHUB_RUN_NUMBER: '1',
    GITHUB_RUN_ATTEMPT: String(run.attempt ?? 1),
    GITHUB_SHA: String(at(payload, 'after') ?? SHA),
    GITHUB_WORKFLOW: run.workflow ?? 'Docs',
    GITHUB_WORKSPACE: folders.workspace,
    RUNNER_TEMP: folders.temp,
    ...(run.debug ? { RUNNER_DEBUG: '1' } : {}),
  }
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value)
}
