import {
  type Comment,
  type CommentKind,
  type Reaction,
  type ReactionContent,
  type Repository,
  type ReviewComment,
  type User,
  userOf,
} from './model.ts'
import type { NewComment } from './new.ts'
import { Threads } from './threads.ts'

/** State of the emulated GitHub and the hands that tests lay on it. `repo` defaults to the workflow's repository. */
export class GitHub extends Threads {
  addComment(issue: number, { repo, ...comment }: NewComment): Comment {
    return this.#addComment(this.repo(repo), 'issue', this.#comment(issue, comment))
  }

  /** A comment on a line of a pull request's diff. */
  addReviewComment(
    pull: number,
    comment: NewComment & { path?: string; line?: number; diffHunk?: string },
  ): Comment {
    const { repo, path = 'docs/guide.mdx', line = 1, diffHunk = '@@ -1 +1 @@\n-old\n+new', ...rest } = comment
    const added: ReviewComment = { ...this.#comment(pull, rest), path, line, diffHunk }
    return this.#addComment(this.repo(repo), 'review', added)
  }

  editComment(id: number, body: string, kind: CommentKind = 'issue', repo?: string): void {
    const comment = this.repo(repo).comments[kind].get(id)
    if (!comment) throw new Error(`No comment ${id}`)
    comment.body = body
    comment.updatedAt = this.time()
  }

  deleteComment(id: number, kind: CommentKind = 'issue', repo?: string): boolean {
    this.repo(repo).reactions[kind].delete(id)
    return this.repo(repo).comments[kind].delete(id)
  }

  /** The thread as it stands, oldest first. */
  comments(issue: number, repo?: string): readonly Comment[] {
    return [...this.repo(repo).comments.issue.values()].filter((comment) => comment.issue === issue)
  }

  reactions(kind: CommentKind, commentId: number, repo?: string): readonly Reaction[] {
    return [...(this.repo(repo).reactions[kind].get(commentId) ?? [])]
  }

  /** The reaction and whether it is new: each person gives each reaction once. */
  react(repo: Repository, kind: CommentKind, commentId: number, content: ReactionContent, user: User) {
    const given = repo.reactions[kind].get(commentId) ?? []
    const known = given.find((reaction) => reaction.content === content && reaction.user.login === user.login)
    if (known) return { reaction: known, isNew: false }
    const reaction: Reaction = { id: this.nextId(), content, user, createdAt: this.time() }
    repo.reactions[kind].set(commentId, [...given, reaction])
    return { reaction, isNew: true }
  }

  #comment(issue: number, { login, type, body }: Omit<NewComment, 'repo'>): Comment {
    const at = this.time()
    const user = type ? { login, type } : userOf(login)
    return { id: this.nextId(), issue, user, body, createdAt: at, updatedAt: at }
  }

  #addComment<C extends Comment>(repo: Repository, kind: CommentKind, comment: C): C {
    const issue = repo.issues.get(comment.issue)
    if (!issue) throw new Error(`No issue ${comment.issue} in ${repo.name}`)
    if (comment.createdAt > issue.updatedAt) issue.updatedAt = comment.createdAt
    repo.comments[kind].set(comment.id, comment)
    return comment
  }
}
