import { REPOSITORY, type World } from './world.ts'

/** The parts of GitHub's events that the action reads. */

export const user = (login: string) => ({ login, type: login.endsWith('[bot]') ? 'Bot' : 'User' })

export function issueJson({ emulator }: World, number: number) {
  const issue = emulator.github.repository(REPOSITORY)?.issues.get(number)
  const url = `https://github.com/${REPOSITORY}/${issue?.isPullRequest ? 'pull' : 'issues'}/${number}`
  const { title = '', body = '', user: author = user('carol'), createdAt: created_at } = issue ?? {}
  const pull = issue?.isPullRequest ? { pull_request: { html_url: url } } : {}
  return { number, title, body, user: author, html_url: url, created_at, ...pull }
}

export function pullJson(world: World, number: number) {
  const { pull_request: _, ...issue } = { pull_request: {}, ...issueJson(world, number) }
  const side = (ref: string) => ({ ref, repo: { full_name: REPOSITORY } })
  return { ...issue, base: side('main'), head: side('topic') }
}
