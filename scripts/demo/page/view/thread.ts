import type { Comment, Issue, PullRequest, Repository, User } from '../../../../emulator/github/model.ts'
import { EMOJI } from '../../screen.ts'
import type { Story } from '../../stage.ts'
import { threadKey } from './links.ts'
import type { Render } from './render.ts'
import type { Author, PostView, PullView, ReactionView, ThreadView } from './state.ts'

export interface Context {
  readonly story: Story
  readonly index: number
  readonly render: Render
}

/** Issues and pull requests of both repositories, in order of their numbers. */
export function threadViews(context: Context): ThreadView[] {
  const { github, settings } = context.story.emulator
  return [...new Set([settings.repository, settings.docsRepository])].flatMap((name) => {
    const repository = github.repository(name)
    const issues = [...(repository?.issues.values() ?? [])].sort((a, b) => a.number - b.number)
    return repository === undefined ? [] : issues.map((issue) => threadView(issue, repository, context))
  })
}

function threadView(issue: Issue, repository: Repository, context: Context): ThreadView {
  const { number, title, state } = issue
  const pull = repository.pulls.get(number)
  const comments = context.story.emulator.github.comments(number, repository.name)
  const opening = { ...issue, id: `${context.index}-${repository.name}-${number}` }
  return {
    key: threadKey(context.index, repository.name, number),
    repository: repository.name,
    number,
    title,
    state: pull?.merged ? 'merged' : state,
    pull: pull && pullView(pull),
    posts: [opening, ...comments].map((written) => postView(written, repository, context)),
  }
}

function pullView({ commits, base, head, files }: PullRequest): PullView {
  return {
    commits,
    base: base.ref,
    head: head.ref,
    files: files.map(({ filename, additions = 0, deletions = 0, patch = '' }) => ({
      name: filename,
      additions,
      deletions,
      patch,
    })),
  }
}

type Written = Pick<Comment, 'user' | 'body' | 'createdAt' | 'updatedAt'> & { readonly id: number | string }

function postView(written: Written, repository: Repository, { story, render }: Context): PostView {
  const { id, user, body, createdAt, updatedAt } = written
  return {
    id: String(id),
    author: authorOf(user),
    at: createdAt,
    edited: typeof id === 'number' && updatedAt !== createdAt,
    html: render(body, repository.name, 'comment'),
    source: body,
    reactions: typeof id === 'number' ? reactionsOf(story, repository, id) : [],
  }
}

function reactionsOf({ emulator }: Story, repository: Repository, comment: number): ReactionView[] {
  const given = Map.groupBy(
    emulator.github.reactions('issue', comment, repository.name),
    ({ content }) => content,
  )
  return [...given].map(([content, reactions]) => ({
    emoji: EMOJI[content],
    logins: reactions.map(({ user }) => authorOf(user).login),
  }))
}

/** Bots by the name that GitHub shows. */
const authorOf = ({ login, type }: User): Author => ({
  login: login.replace(/\[bot\]$/, ''),
  isBot: type === 'Bot',
})
