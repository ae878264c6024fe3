import { hex } from '../random.ts'
import type { Change } from '../service/turn.ts'
import type { Issue, PullRequest, Release, Repository, Review } from './model.ts'
import { userOf } from './model.ts'
import type { NewComment, NewIssue, NewPullRequest, NewRelease } from './new.ts'
import { Repositories } from './repositories.ts'

export type IssueEdit = Partial<Pick<Issue, 'title' | 'body' | 'state' | 'stateReason'>>

/** Issues, pull requests, reviews and releases. */
export class Threads extends Repositories {
  addIssue(issue: NewIssue = {}): Issue {
    const repo = this.repo(issue.repo)
    return this.#add(repo, issue, issue.number ?? Math.max(0, ...repo.issues.keys()) + 1, false)
  }

  editIssue(number: number, { state, stateReason, ...text }: IssueEdit, repo?: string): Issue {
    const issue = this.issue(number, repo)
    Object.assign(issue, text)
    if (state !== undefined && state !== issue.state) {
      issue.state = state
      issue.closedAt = state === 'closed' ? this.time() : null
      issue.stateReason = state === 'closed' ? 'completed' : 'reopened'
    }
    if (stateReason !== undefined) issue.stateReason = stateReason
    issue.updatedAt = this.time()
    return issue
  }

  /** Labels that the repository does not have are created. */
  addLabels(number: number, labels: readonly string[], repo?: string): Issue {
    const issue = this.issue(number, repo)
    issue.labels = [...new Set([...issue.labels, ...labels])]
    issue.updatedAt = this.time()
    return issue
  }

  lock(issue: number, repo?: string): void {
    this.issue(issue, repo).locked = true
  }

  /** Pull requests count from 77, so that their numbers are told apart from those of issues. */
  addPullRequest(pull: NewPullRequest = {}): PullRequest {
    const repo = this.repo(pull.repo)
    const number = pull.number ?? Math.max(76, ...repo.issues.keys()) + 1
    this.#add(repo, pull, number, true)
    const sha = (label: string) => hex(40, this.settings.seed, label, repo.name, number)
    const head = sha('head')
    const { headRef = `change-${number}`, headRepository = repo.name } = pull
    const files = [...(pull.files ?? [])]
    const added: PullRequest = {
      number,
      mergedAt: null,
      mergeCommitSha: sha('test merge'),
      commits: [{ sha: head, files }],
      head: { ref: headRef, sha: head, repository: headRepository },
      isChecked: pull.isChecked ?? false,
      base: { ref: pull.baseRef ?? 'main', sha: sha('base') },
      files,
      requestedReviewers: [],
      requestedTeams: [],
    }
    repo.pulls.set(number, added)
    if (added.isChecked) this.checkHead(repo, added)
    return added
  }

  /** One more commit on a pull request: its head moves. `files`: all of it, as they are then; `commit`: what it changes. */
  push(
    number: number,
    { files, commit = files ?? [] }: Pick<Change, 'files' | 'commit'> = {},
    in_?: string,
  ): void {
    const pull = this.pull(number, in_)
    const sha = hex(40, this.settings.seed, pull.head.sha, pull.commits.length + 1)
    pull.commits = [...pull.commits, { sha, files: commit }]
    pull.head = { ...pull.head, sha }
    if (files !== undefined) pull.files = [...files]
    this.issue(number, in_).updatedAt = this.time()
    if (pull.isChecked) this.checkHead(this.repo(in_), pull)
  }

  /** `at`: when, in ISO 8601 or milliseconds since the epoch; now by default. */
  closePullRequest(
    number: number,
    options: { readonly merged?: boolean; readonly at?: number | string; readonly repo?: string } = {},
  ): void {
    const { merged = false, repo } = options
    const at = this.time(options.at)
    const pull = this.pull(number, repo)
    const sha = hex(40, this.settings.seed, 'merge', this.repo(repo).id, number)
    Object.assign(this.issue(number, repo), { state: 'closed', closedAt: at, updatedAt: at })
    pull.mergedAt = merged ? at : null
    pull.mergeCommitSha = merged ? sha : null
  }

  addReview(pull: number, { login, type, body, repo }: NewComment): Review {
    this.issue(pull, repo)
    const user = type ? { login, type } : userOf(login)
    const review: Review = { id: this.nextId(), pull, user, body, submittedAt: this.time() }
    this.repo(repo).reviews.set(review.id, review)
    return review
  }

  addRelease({ tag, name = tag, body = '', repo }: NewRelease): Release {
    const release: Release = { id: this.nextId(), tag, name, body, createdAt: this.time() }
    this.repo(repo).releases.set(release.id, release)
    return release
  }

  issue(number: number, repo?: string): Issue {
    const found = this.repo(repo).issues.get(number)
    if (!found) throw new Error(`No issue ${number} in ${this.repo(repo).name}`)
    return found
  }

  pull(number: number, repo?: string): PullRequest {
    const found = this.repo(repo).pulls.get(number)
    if (!found) throw new Error(`No pull request ${number}`)
    return found
  }

  #add(repo: Repository, given: NewIssue, number: number, isPullRequest: boolean): Issue {
    if (repo.issues.has(number)) throw new Error(`${repo.name}#${number} exists already`)
    const { title = 'Untitled', body = '', user = 'alice', labels = [] } = given
    const at = this.time()
    const issue: Issue = {
      number,
      isPullRequest,
      title,
      body,
      user: userOf(user),
      labels: [...labels],
      state: 'open',
      stateReason: null,
      closedAt: null,
      locked: false,
      createdAt: at,
      updatedAt: at,
    }
    repo.issues.set(number, issue)
    return issue
  }
}
