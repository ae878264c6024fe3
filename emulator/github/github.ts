import type { Settings } from '../options.ts'
import { Access, type Permission } from './access.ts'
import {
  type Comment,
  type CommentKind,
  type Comparison,
  emptyRepository,
  type Issue,
  type PullRequest,
  type Reaction,
  type ReactionContent,
  type Repository,
  type ReviewComment,
  type User,
  userOf,
} from './model.ts'
import { type NewComment, type NewIssue, type NewPullRequest, newIssue, newPullRequest } from './new.ts'

/** State of the emulated GitHub and the hands that tests lay on it. `repo` defaults to the workflow's repository. */
export class GitHub {
  readonly access = new Access()
  readonly #settings: Settings
  readonly #repositories = new Map<string, Repository>()
  #nextId = 1_000_001

  constructor(settings: Settings) {
    this.#settings = settings
    this.addRepository(settings.repository)
    this.addRepository(settings.docsRepository)
  }

  addRepository(name: string): void {
    if (!this.repository(name)) this.#repositories.set(name.toLowerCase(), emptyRepository(name))
  }

  repository(name: string): Repository | undefined {
    return this.#repositories.get(name.toLowerCase())
  }

  setPermission(login: string, permission: string | Permission): void {
    this.access.set(login, permission)
  }

  addIssue(issue: NewIssue = {}): Issue {
    const repo = this.#repo(issue.repo)
    return this.#add(repo, issue, issue.number ?? Math.max(0, ...repo.issues.keys()) + 1, false)
  }

  /** Pull requests count from 77, so that their numbers are told apart from those of issues. */
  addPullRequest(pull: NewPullRequest = {}): PullRequest {
    const repo = this.#repo(pull.repo)
    const number = pull.number ?? Math.max(76, ...repo.issues.keys()) + 1
    this.#add(repo, pull, number, true)
    const added = newPullRequest(pull, number, repo.name, this.#settings.seed)
    repo.pulls.set(number, added)
    return added
  }

  closePullRequest(number: number, { merged = false, repo }: { merged?: boolean; repo?: string } = {}): void {
    const issue = this.#repo(repo).issues.get(number)
    const pull = this.#repo(repo).pulls.get(number)
    if (!issue || !pull) throw new Error(`No pull request ${number}`)
    issue.state = 'closed'
    pull.merged = merged
  }

  addComment(issue: number, { repo, ...comment }: NewComment): Comment {
    return this.#addComment(this.#repo(repo), 'issue', this.#comment(issue, comment))
  }

  /** A comment on a line of a pull request's diff. */
  addReviewComment(
    pull: number,
    comment: NewComment & { path?: string; line?: number; diffHunk?: string },
  ): Comment {
    const { repo, path = 'docs/guide.mdx', line = 1, diffHunk = '@@ -1 +1 @@\n-old\n+new', ...rest } = comment
    const added: ReviewComment = { ...this.#comment(pull, rest), path, line, diffHunk }
    return this.#addComment(this.#repo(repo), 'review', added)
  }

  editComment(id: number, body: string, kind: CommentKind = 'issue', repo?: string): void {
    const comment = this.#repo(repo).comments[kind].get(id)
    if (!comment) throw new Error(`No comment ${id}`)
    comment.body = body
    comment.updatedAt = this.time()
  }

  deleteComment(id: number, kind: CommentKind = 'issue', repo?: string): boolean {
    this.#repo(repo).reactions[kind].delete(id)
    return this.#repo(repo).comments[kind].delete(id)
  }

  /** The thread as it stands, oldest first. */
  comments(issue: number, repo?: string): readonly Comment[] {
    return [...this.#repo(repo).comments.issue.values()].filter((comment) => comment.issue === issue)
  }

  reactions(kind: CommentKind, commentId: number, repo?: string): readonly Reaction[] {
    return [...(this.#repo(repo).reactions[kind].get(commentId) ?? [])]
  }

  /** The reaction and whether it is new: each person gives each reaction once. */
  react(repo: Repository, kind: CommentKind, commentId: number, content: ReactionContent, user: User) {
    const given = repo.reactions[kind].get(commentId) ?? []
    const known = given.find((reaction) => reaction.content === content && reaction.user.login === user.login)
    if (known) return { reaction: known, isNew: false }
    const reaction: Reaction = { id: this.#id(), content, user, createdAt: this.time() }
    repo.reactions[kind].set(commentId, [...given, reaction])
    return { reaction, isNew: true }
  }

  lock(issue: number, repo?: string): void {
    const found = this.#repo(repo).issues.get(issue)
    if (!found) throw new Error(`No issue ${issue}`)
    found.locked = true
  }

  /** What `GET /repos/…/compare/{base}...{head}` answers. */
  setCompare(base: string, head: string, comparison: Partial<Comparison>, repo?: string): void {
    this.#repo(repo).comparisons.set(`${base}...${head}`, { files: [], commits: [], ...comparison })
  }

  time(): string {
    return new Date(this.#settings.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  }

  #repo(name = this.#settings.repository): Repository {
    const repo = this.repository(name)
    if (!repo) throw new Error(`No repository ${name}`)
    return repo
  }

  #add(repo: Repository, given: NewIssue, number: number, isPull: boolean): Issue {
    if (repo.issues.has(number)) throw new Error(`${repo.name}#${number} exists already`)
    const issue = newIssue(given, number, isPull, this.time())
    repo.issues.set(number, issue)
    return issue
  }

  #comment(issue: number, { login, type, body }: Omit<NewComment, 'repo'>): Comment {
    const at = this.time()
    const user = type ? { login, type } : userOf(login)
    return { id: this.#id(), issue, user, body, createdAt: at, updatedAt: at }
  }

  #addComment<C extends Comment>(repo: Repository, kind: CommentKind, comment: C): C {
    if (!repo.issues.has(comment.issue)) throw new Error(`No issue ${comment.issue} in ${repo.name}`)
    repo.comments[kind].set(comment.id, comment)
    return comment
  }

  #id(): number {
    this.#nextId += 1
    return this.#nextId
  }
}
