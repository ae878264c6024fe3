import type { Api } from './api.ts'
import { type Comment, type Release, type Review, type ReviewComment, userOf } from './model.ts'
import { pullJson, reviewCommentJson, reviewJson } from './pull-shapes.ts'
import { repositoryJson } from './repository-shapes.ts'
import { issueCommentJson, issueJson, type Place, releaseJson, userJson } from './shapes.ts'

export const commentJson = (place: Place, comment: Comment | ReviewComment) =>
  'review' in comment ? reviewCommentJson(place, comment) : issueCommentJson(place, comment)

/** What GitHub shows of the workflow's repository: events hold the same as answers. */
export function shownBy(api: Pick<Api, 'github' | 'links'>) {
  const { github } = api
  const place = (): Place => ({ github, links: api.links, repo: github.repo() })
  return {
    user: (login: string) => userJson(userOf(login), api.links),
    repository: () => repositoryJson(github.repo(), api.links),
    issue: (number: number) => issueJson(place(), github.issue(number)),
    pull: (number: number) => pullJson(place(), github.pull(number), github.issue(number)),
    comment: (comment: Comment | ReviewComment) => commentJson(place(), comment),
    review: (review: Review) => reviewJson(place(), review),
    release: (release: Release) => releaseJson(place(), release),
  }
}
