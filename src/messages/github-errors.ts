import { messageOf } from '../errors.ts'
import { asObject, asString, isObject } from '../json.ts'
import { oneLine } from '../text.ts'

/** The HTTP status of what octokit threw; 0 when GitHub was not reached. */
export function statusOf(error: unknown): number {
  const status = isObject(error) ? error.status : undefined
  // octokit gives a request that never got an answer the status 500 and no response.
  return typeof status === 'number' && isObject(asObject(error).response) ? status : 0
}

/**
 * What GitHub refused, with the line to add where a permission is missing.
 * @param doing completes "Could not …"
 * @param permission the workflow permission that it takes, such as `issues: write`; '' where none gives it
 */
export function explainGitHub(error: unknown, doing: string, permission: string): string {
  const status = statusOf(error)
  const { data } = asObject(asObject(error).response)
  const said = oneLine(asString(asObject(data).message) || messageOf(error), 150)
  const remedy = REMEDIES.find((rule) => rule.status.includes(status) && rule.said.test(said))?.remedy ?? ''
  const add =
    permission === ''
      ? 'Pass a `github-token` with that permission.'
      : ADD.replace('{permission}', permission)
  return `Could not ${doing} (${status === 0 ? 'GitHub did not answer' : `HTTP ${status}`}: ${said}). ${remedy.replace('{add}', add)}`.trim()
}

const ADD =
  'Add the line `{permission}` under `permissions:` of the job in the workflow file, or give that permission to the token in `github-token`.'

/** The first that applies counts. */
const REMEDIES: readonly {
  readonly status: readonly number[]
  readonly said: RegExp
  readonly remedy: string
}[] = [
  { status: [401], said: /./, remedy: 'Pass a valid `github-token`.' },
  { status: [403, 410], said: /lock/i, remedy: 'Unlock the thread to let the action comment there.' },
  {
    status: [410],
    said: /disabled/i,
    remedy: 'Turn on issues in the settings of the repository, or use another input than `issue-title`.',
  },
  { status: [403, 429], said: /rate limit|abuse/i, remedy: 'The rate limit is used up.' },
  { status: [403], said: /./, remedy: '{add}' },
  { status: [404], said: /./, remedy: 'Check that it exists. {add}' },
]
