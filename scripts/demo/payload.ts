import type { Emulator } from '../../emulator/emulator.ts'
import { webhook } from './webhook.ts'

export interface CommentEvent {
  readonly issue: number
  readonly login: string
  readonly body: string
}

/** Writes a comment in the emulated repository, and returns the event that GitHub would send for it. */
export function comment({ github, settings }: Emulator, { issue: number, login, body }: CommentEvent) {
  const { repository, serverUrl } = settings
  const { id } = github.addComment(number, { login, body })
  const issue = github.repository(repository)?.issues.get(number)
  if (!issue) throw new Error(`No issue ${number}`)
  const url = `${serverUrl}/${repository}/${issue.isPullRequest ? 'pull' : 'issues'}/${number}`
  const [owner, name] = repository.split('/')
  return {
    name: 'issue_comment',
    payload: webhook('issue_comment', 'created', {
      issue: {
        number,
        title: issue.title,
        body: issue.body,
        user: issue.user,
        html_url: url,
        ...(issue.isPullRequest ? { pull_request: { html_url: url } } : {}),
      },
      comment: { id, body, html_url: `${url}#issuecomment-${id}`, user: { login, type: 'User' } },
      repository: {
        name,
        full_name: repository,
        html_url: `${serverUrl}/${repository}`,
        owner: { login: owner },
      },
      sender: { login, type: 'User' },
    }),
  }
}
