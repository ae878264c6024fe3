import type { Emulator } from '../../emulator/emulator.ts'
import { eventsOf } from '../../emulator/github/samples.ts'
import { isRecord } from '../../emulator/http.ts'

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

type Json = Readonly<Record<string, unknown>>

/** A payload as GitHub really sent it, with `over` put over it, field by field. Events without actions take ''. */
export function webhook(name: string, action: string, over: Json): Json {
  const [example] = eventsOf(name, action)
  if (example === undefined) throw new Error(`No example of ${name} ${action}`)
  return merge({ ...example }, over)
}

function merge(base: Json, over: Json): Json {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const below = base[key]
    merged[key] = isRecord(below) && isRecord(value) ? merge(below, value) : value
  }
  return merged
}
