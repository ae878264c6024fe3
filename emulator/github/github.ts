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
import type { NewComment, NewReviewComment } from './new.ts'
import { Threads } from './threads.ts'

/** State of the emulated GitHub and the hands that tests lay on it. `repo` defaults to the workflow's repository. */
export class GitHub extends Threads {
  addComment(issue: number, { repo, ...comment }: NewComment): Comment {
    const added = this.#comment(issue, comment)
    this.#touch(this.repo(repo), added)
    this.repo(repo).comments.issue.set(added.id, added)
    return added
  }

  /** A comment on a line of a pull request's diff. */
  addReviewComment(
    pull: number,
    { repo, line, diffHunk, review, ...comment }: NewReviewComment,
  ): ReviewComment {
    const { id } =
      review === undefined
        ? this.addReview(pull, { ...comment, body: '', ...(repo && { repo }) })
        : { id: review }
    const added = {
      ...this.#comment(pull, comment),
      line: line ?? 1,
      diffHunk: diffHunk ?? '@@ -1 +1 @@\n-old\n+new',
      review: id,
    }
    this.#touch(this.repo(repo), added)
    this.repo(repo).comments.review.set(added.id, added)
    return added
  }

  editComment(id: number, body: string, kind: CommentKind = 'issue', repo?: string): void {
    const comment = this.repo(repo).comments[kind].get(id)
    if (!comment) throw new Error(`No comment ${id}`)
    comment.body = body
    comment.updatedAt = this.time()
  }

  deleteComment(id: number, kind: CommentKind = 'issue', repo?: string): boolean {
    return this.repo(repo).comments[kind].delete(id)
  }

  /** The thread as it stands, oldest first. */
  comments(issue: number, repo?: string): readonly Comment[] {
    return [...this.repo(repo).comments.issue.values()].filter((comment) => comment.issue === issue)
  }

  reactions(kind: CommentKind, id: number, repo?: string): readonly Reaction[] {
    return this.repo(repo).comments[kind].get(id)?.reactions ?? []
  }

  /** The reaction and whether it is new: each person gives each reaction once. */
  react(repo: Repository, kind: CommentKind, id: number, content: ReactionContent, user: User) {
    const comment = repo.comments[kind].get(id)
    const given = comment?.reactions ?? []
    const known = given.find((reaction) => reaction.content === content && reaction.user.login === user.login)
    if (known) return { reaction: known, isNew: false }
    const reaction: Reaction = { id: this.nextId(), content, user, createdAt: this.time() }
    if (comment) comment.reactions = [...given, reaction]
    return { reaction, isNew: true }
  }

  #comment(issue: number, { login, type, body }: Omit<NewComment, 'repo'>): Comment {
    const at = this.time()
    const user = type ? { login, type } : userOf(login)
    return { id: this.nextId(), issue, user, body, reactions: [], createdAt: at, updatedAt: at }
  }

  #touch(repo: Repository, comment: Comment): void {
    const issue = repo.issues.get(comment.issue)
    if (!issue) throw new Error(`No issue ${comment.issue} in ${repo.name}`)
    if (comment.createdAt > issue.updatedAt) issue.updatedAt = comment.createdAt
  }
}
