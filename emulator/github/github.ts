import {
  type Comment,
  type CommentKind,
  type Reaction,
  type ReactionContent,
  type ReviewComment,
  type User,
  userOf,
} from './model.ts'
import type { NewComment, NewReviewComment } from './new.ts'
import { Stacks } from './stacks.ts'

/** State of the emulated GitHub and the hands that tests lay on it. `repo` defaults to the workflow's repository. */
export class GitHub extends Stacks {
  addComment(issue: number, { repo, ...comment }: NewComment): Comment {
    const added = this.#comment(issue, comment, repo)
    this.repo(repo).comments.issue.set(added.id, added)
    return added
  }

  /** A comment on a line of a pull request's diff. */
  addReviewComment(pull: number, { repo, review, thread, ...given }: NewReviewComment): ReviewComment {
    const { path = 'docs/guide.mdx', line = 1, diffHunk = '@@ -1 +1 @@\n-old\n+new', ...comment } = given
    const own = review ?? this.addReview(pull, { ...comment, body: '', ...(repo && { repo }) }).id
    const written = this.#comment(pull, comment, repo)
    const added = { ...written, path, line, diffHunk, review: own, thread: thread ?? written.id }
    this.repo(repo).comments.review.set(added.id, added)
    return added
  }

  editComment(id: number, body: string, repo?: string): void {
    const comment = this.repo(repo).comments.issue.get(id)
    if (!comment) throw new Error(`No comment ${id}`)
    comment.body = body
    comment.updatedAt = this.time()
  }

  deleteComment(id: number, repo?: string): boolean {
    return this.repo(repo).comments.issue.delete(id)
  }

  /** The thread as it stands, oldest first. */
  comments(issue: number, repo?: string): readonly Comment[] {
    return [...this.repo(repo).comments.issue.values()].filter((comment) => comment.issue === issue)
  }

  reactions(kind: CommentKind, id: number, repo?: string): readonly Reaction[] {
    return this.repo(repo).comments[kind].get(id)?.reactions ?? []
  }

  /** The reaction and whether it is new: each person gives each reaction once. */
  react(comment: Comment, content: ReactionContent, user: User) {
    const given = comment.reactions
    const known = given.find((reaction) => reaction.content === content && reaction.user.login === user.login)
    if (known) return { reaction: known, isNew: false }
    const reaction: Reaction = { id: this.nextId(), content, user, createdAt: this.time() }
    comment.reactions = [...given, reaction]
    return { reaction, isNew: true }
  }

  #comment(
    issue: number,
    { login, type, body, isMail = false }: Omit<NewComment, 'repo'>,
    repo?: string,
  ): Comment {
    const at = this.time()
    const user = type ? { login, type } : userOf(login)
    const thread = this.issue(issue, repo)
    if (at > thread.updatedAt) thread.updatedAt = at
    const told = { issue, user, body, isMail, reactions: [] }
    return { id: this.nextId(), ...told, createdAt: at, updatedAt: at }
  }
}
