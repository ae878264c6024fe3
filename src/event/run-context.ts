import { existsSync } from 'node:fs'
import { ActionError } from '../errors.ts'
import { asObject, asString, isObject, type JsonObject } from '../json.ts'
import type { RepositoryName } from '../link.ts'

/** `@actions/github` parses the event file when it is first loaded, and throws where it is broken. */
export const loadToolkit = () => import(/* webpackMode: "eager" */ '@actions/github')

export interface RunContext {
  readonly eventName: string
  readonly payload: JsonObject
  readonly repository: RepositoryName
  /** 0 where neither the runner nor the event tells it. */
  readonly repositoryId: number
  readonly runId: number
  /** Counts from 1; a re-run of the same run adds one. Gitea may leave it empty. */
  readonly runAttempt: number
  readonly workflow: string
  readonly job: string
  /** The step's id, or the name that the runner makes up for it. */
  readonly step: string
  /** Of the workflow file: the default branch on a schedule; '' where neither the runner nor the event tells it. */
  readonly branch: string
  readonly actor: string
  readonly workspace: string
  /** Without a slash at its end, like `apiUrl`. */
  readonly serverUrl: string
  readonly apiUrl: string
}

/** @throws {ActionError} where the event file is missing or broken */
export async function readRunContext(env: NodeJS.ProcessEnv): Promise<RunContext> {
  const { GITHUB_EVENT_PATH: path = '', GITHUB_EVENT_NAME: event = '' } = env
  if (path !== '' && !existsSync(path)) {
    const sentence = 'The event file that GITHUB_EVENT_PATH names cannot be read. Run again.'
    throw new ActionError('internal', sentence)
  }
  const { context } = await loadToolkit().catch((cause: unknown) => {
    throw new ActionError('internal', `The event file of \`${event}\` is not JSON. Run again.`, { cause })
  })
  const payload: unknown = context.payload
  if (!isObject(payload)) {
    throw new ActionError('internal', `The event file of \`${event}\` is not a JSON object. Run again.`)
  }
  const [owner = '', repo = ''] = (env.GITHUB_REPOSITORY ?? '').split('/')
  return {
    eventName: event,
    payload,
    repository: { owner, repo },
    repositoryId: Number(env.GITHUB_REPOSITORY_ID) || Number(asObject(payload.repository).id) || 0,
    runId: context.runId || 0,
    runAttempt: context.runAttempt || 1,
    workflow: context.workflow ?? '',
    job: context.job ?? '',
    step: context.action ?? '',
    branch: branchOf(env.GITHUB_REF ?? '') || asString(asObject(payload.repository).default_branch),
    actor: context.actor ?? '',
    workspace: env.GITHUB_WORKSPACE || '.',
    serverUrl: (context.serverUrl || 'https://github.com').replace(/\/+$/, ''),
    apiUrl: (context.apiUrl || 'https://api.github.com').replace(/\/+$/, ''),
  }
}

/** '' for a ref that is no branch. */
export const branchOf = (ref: string): string => /^refs\/heads\/(.+)$/.exec(ref)?.[1] ?? ''

export const runName = ({ runId, runAttempt }: RunContext): string => `${runId}.${runAttempt}`

export function runUrlOf(
  { serverUrl, repository }: RunContext,
  name: string,
  { hasAttemptPages }: { readonly hasAttemptPages: boolean },
): string {
  const [id = '', attempt = '1'] = name.split('.')
  const attemptPath = attempt === '1' || !hasAttemptPages ? '' : `/attempts/${attempt}`
  return `${serverUrl}/${fullName(repository)}/actions/runs/${id}${attemptPath}`
}

export const fullName = ({ owner, repo }: RepositoryName): string => `${owner}/${repo}`
