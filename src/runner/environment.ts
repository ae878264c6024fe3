/** The run that the action is a step of, as the runner tells it. */
export interface Environment {
  readonly eventName: string
  readonly eventPath: string
  /** `owner/name`. */
  readonly repository: string
  readonly runId: string
  /** Counts from 1; a re-run of the same run adds one. */
  readonly runAttempt: number
  readonly workflow: string
  readonly job: string
  /** The step's id, or what the runner makes up for it. */
  readonly step: string
  readonly actor: string
  readonly workspace: string
  readonly serverUrl: string
  readonly apiUrl: string
}

/** https://docs.github.com/en/actions/reference/workflows-and-actions/variables */
export function environmentOf(env: NodeJS.ProcessEnv): Environment {
  const of = (name: string, missing = '') => env[`GITHUB_${name}`] || missing
  return {
    eventName: of('EVENT_NAME'),
    eventPath: of('EVENT_PATH'),
    repository: of('REPOSITORY'),
    runId: of('RUN_ID', '0'),
    runAttempt: Number(of('RUN_ATTEMPT', '1')) || 1,
    workflow: of('WORKFLOW'),
    job: of('JOB'),
    step: of('ACTION'),
    actor: of('ACTOR'),
    workspace: of('WORKSPACE', '.'),
    serverUrl: of('SERVER_URL', 'https://github.com').replace(/\/+$/, ''),
    apiUrl: of('API_URL', 'https://api.github.com').replace(/\/+$/, ''),
  }
}

/** What tells this attempt from all others. */
export const runName = ({ runId, runAttempt }: Environment): string => `${runId}.${runAttempt}`

/** The page of a run by its name, for people. */
export function runUrlOf({ serverUrl, repository }: Environment, name: string): string {
  const [id = '', attempt = '1'] = name.split('.')
  return `${serverUrl}/${repository}/actions/runs/${id}${attempt === '1' ? '' : `/attempts/${attempt}`}`
}
