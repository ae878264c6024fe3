import { hex } from '../random.ts'
import { areGreen } from './checks.ts'
import type { Commit, Gone, Issue, LabelEvent, PullRequest, Release, Repository, Review } from './model.ts'
import { userOf } from './model.ts'
import type { NewComment, NewCommit, NewIssue, NewPullRequest, NewPush, NewRelease } from './new.ts'
import { Repositories } from './repositories.ts'

export type IssueEdit = Partial<Pick<Issue, 'title' | 'body' | 'state'>>

export interface Closing {
  readonly merged?: boolean
  /** When, in ISO 8601 or milliseconds since the epoch; now by default. */
  readonly at?: number | string
  readonly repo?: string
  /** The branch that the merge comes to, by default its base. */
  readonly into?: string
}

/** No number comes twice. */
const nextNumber = ({ issues, gone }: Repository, least = 1): number =>
  Math.max(least - 1, ...issues.keys(), ...gone.keys()) + 1

/** Issues, pull requests, reviews and releases. */
export class Threads extends Repositories {
  addIssue(issue: NewIssue = {}): Issue {
    const repo = this.repo(issue.repo)
    return this.#add(repo, issue, issue.number ?? nextNumber(repo), false)
  }

  editIssue(number: number, { state, ...text }: IssueEdit, repo?: string): Issue {
    const issue = this.issue(number, repo)
    Object.assign(issue, text)
    if (state !== undefined && state !== issue.state) {
      issue.state = state
      issue.closedAt = state === 'closed' ? this.time() : null
    }
    issue.updatedAt = this.time()
    return issue
  }

  /** Labels that the repository does not have are created. */
  addLabels(number: number, labels: readonly string[], repo?: string, by: string | null = 'alice'): Issue {
    const issue = this.issue(number, repo)
    const added = labels.filter((label) => !issue.labels.includes(label))
    issue.labels = [...new Set([...issue.labels, ...labels])]
    return this.#noteLabels(issue, 'labeled', added, by)
  }

  removeLabel(number: number, label: string, repo?: string, by: string | null = 'alice'): Issue {
    const issue = this.issue(number, repo)
    issue.labels = issue.labels.filter((one) => one !== label)
    return this.#noteLabels(issue, 'unlabeled', [label], by)
  }

  #noteLabels(issue: Issue, event: LabelEvent['event'], labels: readonly string[], by: string | null): Issue {
    const at = this.time()
    const actor = by === null ? null : userOf(by)
    issue.labelEvents = [...issue.labelEvents, ...labels.map((label) => ({ event, label, actor, at }))]
    issue.updatedAt = at
    return issue
  }

  lock(issue: number, repo?: string): void {
    this.issue(issue, repo).locked = true
  }

  /** Its comments go along, and every address of it redirects. @returns the issue in the other repository */
  transferIssue(number: number, to: string, from?: string): Issue {
    const [source, target] = [this.repo(from), this.repo(to)]
    const moved = { ...this.issue(number, from), number: nextNumber(target) }
    target.issues.set(moved.number, moved)
    for (const comment of source.comments.issue.values())
      if (comment.issue === number) target.comments.issue.set(comment.id, { ...comment, issue: moved.number })
    this.#leave(source, number, { to: target.id, number: moved.number })
    return moved
  }

  /**
   * Deletes an issue, or turns it into a discussion, which the API shows no more than that.
   * @param status 404 where the token may not read what was deleted
   */
  deleteIssue(number: number, status: 404 | 410 = 410, repo?: string): void {
    this.issue(number, repo)
    this.#leave(this.repo(repo), number, { status })
  }

  /** Pull requests count from 77, so that their numbers are told apart from those of issues. */
  addPullRequest(pull: NewPullRequest = {}): PullRequest {
    const repo = this.repo(pull.repo)
    const number = pull.number ?? nextNumber(repo, 77)
    this.#add(repo, pull, number, true)
    const sha = (label: string) => hex(40, this.settings.seed, label, repo.name, number)
    const { baseRef = 'main', headRef = `change-${number}`, headRepository = repo.name } = pull
    const files = [...(pull.files ?? [])]
    const base = { ref: baseRef, sha: this.branchHead(baseRef, repo.name) }
    const { by = pull.user ?? 'alice', title = 'Untitled' } = pull
    const head = this.#commit(repo, { sha: sha('head'), parent: base.sha, message: title, by, files })
    const added: PullRequest = {
      number,
      mergedAt: null,
      mergeCommitSha: sha('test merge'),
      commits: [head],
      head: { ref: headRef, sha: head.sha, repository: headRepository },
      isChecked: pull.isChecked ?? false,
      base,
      isConflicting: pull.conflicts ?? false,
      examinedAt: undefined,
      files,
      requestedReviewers: [],
      requestedTeams: [],
    }
    repo.pulls.set(number, added)
    if (added.isChecked) this.checkHead(repo, added)
    return added
  }

  /** A push to a pull request: its head moves, and is checked anew. */
  push(number: number, push: NewPush = {}, in_?: string): void {
    const repo = this.repo(in_)
    const pull = this.pull(number, in_)
    const issue = this.issue(number, in_)
    const { files, isForced = false, withWorkflowToken = false } = push
    const { commit = files ?? (isForced ? pull.files : []) } = push
    const { by = withWorkflowToken ? 'github-actions[bot]' : issue.user } = push
    if (isForced) pull.base = { ...pull.base, sha: this.branchHead(pull.base.ref, in_) }
    const commits = isForced ? [] : pull.commits
    const head = this.#commit(repo, {
      sha: hex(40, this.settings.seed, pull.head.sha, commits.length + 1),
      parent: commits.at(-1)?.sha ?? pull.base.sha,
      message: issue.title,
      by,
      files: commit,
    })
    pull.commits = [...commits, head]
    pull.head = { ...pull.head, sha: head.sha }
    if (files !== undefined) pull.files = [...files]
    pull.isConflicting = push.conflicts ?? pull.isConflicting
    pull.examinedAt = undefined
    issue.updatedAt = this.time()
    if (pull.isChecked || withWorkflowToken) this.checkHead(repo, pull, withWorkflowToken)
  }

  /** One more commit on the base branch of a pull request, such as a merge elsewhere, with which it conflicts or not. */
  moveBase(
    number: number,
    {
      conflicts = false,
      commit: files = [],
      by = 'alice',
    }: Pick<NewPush, 'conflicts' | 'commit' | 'by'> = {},
    in_?: string,
  ): void {
    const repo = this.repo(in_)
    const pull = this.pull(number, in_)
    const parent = this.branchHead(pull.base.ref, in_)
    const sha = hex(40, this.settings.seed, 'base', parent)
    this.#moveBranch(repo, pull.base.ref, { sha, parent, message: 'A merge elsewhere', by, files })
    pull.isConflicting = conflicts
  }

  /** What GitHub knows by now of whether an open pull request can be merged. */
  mergeability(number: number, in_?: string) {
    const repo = this.repo(in_)
    const { examinedAt, isConflicting, head } = this.pull(number, in_)
    const { mergeableAfterMs, now } = this.settings
    const isKnown =
      mergeableAfterMs === 0 || (examinedAt ?? Number.POSITIVE_INFINITY) + mergeableAfterMs <= now()
    if (this.issue(number, in_).state === 'closed' || !isKnown)
      return { mergeable: null, mergeable_state: 'unknown' }
    if (isConflicting) return { mergeable: false, mergeable_state: 'dirty' }
    const isGreen = areGreen(repo.checks.get(head.sha) ?? [], now())
    return { mergeable: true, mergeable_state: isGreen ? 'clean' : 'unstable' }
  }

  /** A read of a pull request lets GitHub work out whether it can be merged. */
  examine(pull: PullRequest): void {
    pull.examinedAt ??= this.settings.now()
  }

  closePullRequest(number: number, options: Closing = {}): void {
    const { merged = false, repo } = options
    const at = this.time(options.at)
    const pull = this.pull(number, repo)
    const { into = pull.base.ref } = options
    const issue = this.issue(number, repo)
    const sha = hex(40, this.settings.seed, 'merge', this.repo(repo).id, number)
    Object.assign(issue, { state: 'closed', closedAt: at, updatedAt: at })
    pull.mergedAt = merged ? at : null
    pull.mergeCommitSha = merged ? sha : null
    if (!merged) return
    const parent = this.branchHead(into, repo)
    const merge = { sha, parent, message: issue.title, by: issue.user, files: pull.files, at }
    this.#moveBranch(this.repo(repo), into, merge)
  }

  /** Who gives one is asked for it no more. */
  addReview(pull: number, { login, type, body, repo }: NewComment): Review {
    const reviewed = this.pull(pull, repo)
    const isOther = (asked: string) => asked.toLowerCase() !== login.toLowerCase()
    reviewed.requestedReviewers = reviewed.requestedReviewers.filter(isOther)
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

  #leave(repo: Repository, number: number, gone: Gone): void {
    repo.gone.set(number, gone)
    repo.issues.delete(number)
    for (const { id, issue } of repo.comments.issue.values())
      if (issue === number) repo.comments.issue.delete(id)
  }

  #commit(repo: Repository, { by, at = this.time(), ...given }: NewCommit): Commit {
    const commit = { ...given, at, author: by === null ? null : userOf(by) }
    repo.commits.set(commit.sha, commit)
    return commit
  }

  /** GitHub works out anew which pull requests can be merged into it. */
  #moveBranch(repo: Repository, ref: string, commit: NewCommit): void {
    repo.branches.set(ref, this.#commit(repo, commit).sha)
    for (const pull of repo.pulls.values()) if (pull.base.ref === ref) pull.examinedAt = undefined
  }

  #add(repo: Repository, given: NewIssue, number: number, isPullRequest: boolean): Issue {
    if (repo.issues.has(number)) throw new Error(`${repo.name}#${number} exists already`)
    const { title = 'Untitled', body = '', user = 'alice', labels = [], app = null } = given
    const at = this.time()
    const issue: Issue = {
      number,
      isPullRequest,
      title,
      body,
      user: userOf(user),
      app,
      labels: [...labels],
      labelEvents: labels.map((label) => ({ event: 'labeled', label, actor: userOf(user), at })),
      state: 'open',
      closedAt: null,
      locked: false,
      createdAt: at,
      updatedAt: at,
    }
    repo.issues.set(number, issue)
    return issue
  }
}
