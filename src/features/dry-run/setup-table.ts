import { isRefused } from '../../base/errors.ts'
import { count, joined, table } from '../../base/text.ts'
import { explainGitHub, permissionNames, type TokenKind } from '../../words/explain.ts'
import { SIDE_TASKS } from '../../words/side-tasks.ts'

/** What a dry run found out. `error` is GitHub's; `works`, `why` and `fault` are inline Markdown, the latter two sentences. */
export type SetupResult =
  | 'works'
  | 'unproven'
  | { readonly works: string }
  | { readonly error: unknown /** In place of what the row says. */; readonly doing?: string }
  | { readonly why: string }
  | { readonly fault: string }

interface SetupCheck {
  /** Completes "The action can …", and "Could not …" where GitHub refuses it. */
  readonly doing: string
  /** Workflow permissions, by `, `; '' where none gives it. */
  readonly permission: string
  /** Why nothing free proves it. Without it, the permission that it needs. */
  readonly unproven?: string
}

const task = (name: keyof typeof SIDE_TASKS, doing: string): SetupCheck => ({
  doing,
  permission: SIDE_TASKS[name][1],
})

const PAID = 'Only a request that costs credits proves it.'

/** In the order of the rows. A dry run gives a result for those that its inputs and its event need. */
const CHECKS = {
  key: { doing: 'use the API key', permission: '', unproven: 'The service gave no answer that shows it.' },
  project: { doing: "use the project, with the key's write scope", permission: '', unproven: PAID },
  credits: { doing: 'spend credits', permission: '', unproven: PAID },
  memory: { doing: 'remember requests', permission: '' },
  permission: { doing: 'read who has which permission', permission: '' },
  thread: task('thread', 'read the comments of the thread'),
  'repository-comments': task('thread', 'read the comments of the repository'),
  pull: task('head', 'read the pull request'),
  files: task('files', 'read the changed files'),
  comparison: task('comparison', 'compare the push'),
  merged: task('merged', 'read the merged pull requests'),
  checks: task('checks', 'read checks and statuses'),
  logs: task('job-log', 'read the logs of failing jobs'),
  workflows: { doing: 'be woken by the end of your workflows', permission: 'contents: read' },
  'issue-reaction': task('issue-reaction', 'react to the comment, and take that back'),
  'review-reaction': task('review-reaction', 'react to the comment, and take that back'),
  comment: task('comment', 'write comments'),
  'issue-title': task('issue-title', 'create the issue of `issue-title`'),
  'commit-status': task('commit-status', 'set the commit status'),
  'pull-request': task('link', "comment on the agent's pull request, with `reviewers` and `labels`"),
  docs: task('checks', 'reach the docs in another repository'),
} as const satisfies Readonly<Record<string, SetupCheck>>

export type SetupCheckName = keyof typeof CHECKS
type SetupResults = Readonly<Partial<Record<SetupCheckName, SetupResult>>>

const BROKEN = '**does not work**'
const UNPROVEN = 'not proven'

function resultOf(
  { doing, permission, unproven }: SetupCheck,
  result: SetupResult,
  token: TokenKind,
): string {
  if (result === 'works') return 'works'
  if (result === 'unproven') return joined(': ', UNPROVEN, unproven ?? needs(permission, token))
  if ('works' in result) return `works: ${result.works}`
  if ('fault' in result) return `${BROKEN}: ${result.fault}`
  if ('why' in result) return `${UNPROVEN}: ${result.why}`
  const { error, doing: tried = doing } = result
  return `${isRefused(error) ? BROKEN : UNPROVEN}: ${explainGitHub(error, tried, permission, token)}`
}

function needs(permission: string, token: TokenKind): string {
  if (permission === '') return ''
  const names = permissionNames(permission.split(', '), token)
  switch (token) {
    case 'workflow':
      return `It needs ${names} under \`permissions:\`.`
    case 'app':
      return `It needs ${names} in the step that makes the token, and the App needs that permission.`
    case 'person':
      return `The token needs ${names}.`
  }
}

/** For the summary of a dry run: what works, what to add for what does not, and what stays unproven, and why. */
export function setupSection(results: SetupResults, token: TokenKind = 'workflow'): string {
  const given: Readonly<Record<string, SetupResult | undefined>> = results
  const rows = Object.entries(CHECKS).flatMap(([name, check]) => {
    const result = given[name]
    return result === undefined ? [] : [[check.doing, resultOf(check, result, token)] as const]
  })
  if (rows.length === 0) return ''
  const startingWith = (words: string) => rows.filter(([, result]) => result.startsWith(words)).length
  const broken = startingWith(BROKEN)
  const sentence =
    broken === 0
      ? 'Everything that could be checked works.'
      : `${count(broken, 'check')} failed: the table says what to change.`
  const unproven = startingWith(UNPROVEN) === 0 ? '' : 'The table says what is not proven, and why.'
  const said = joined(' ', sentence, unproven)
  return `### Setup\n\n${said}\n\n${table({ 'The action can': 'left', Result: 'left' }, rows)}`
}
