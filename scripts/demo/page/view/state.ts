/** What the server sends to the page, as JSON. Every `html` is sanitised Markdown; all else is plain text. Times are ISO 8601. */

export interface State {
  readonly stories: readonly StoryView[]
  /** The key of what to show first: while the demo plays, where something happened last; then the first thread. */
  readonly focus: string
  /** What was wrong with the demo, '' for nothing, `null` while it plays. */
  readonly verdict: string | null
}

export interface StoryView {
  readonly title: string
  readonly threads: readonly ThreadView[]
  readonly runs: readonly RunView[]
}

export interface ThreadView {
  /** Where the page shows it, behind `#/`. */
  readonly key: string
  /** `owner/name`. */
  readonly repository: string
  readonly number: number
  readonly title: string
  readonly state: 'open' | 'closed' | 'merged'
  /** Missing for issues. */
  readonly pull: PullView | undefined
  /** The opening text, then the comments, oldest first. */
  readonly posts: readonly PostView[]
}

export interface PullView {
  readonly commits: number
  readonly base: string
  readonly head: string
  readonly files: readonly FileView[]
}

export interface FileView {
  readonly name: string
  readonly additions: number
  readonly deletions: number
  /** The diff; '' where GitHub shows none. */
  readonly patch: string
}

export interface PostView {
  readonly id: string
  readonly author: Author
  readonly at: string
  readonly edited: boolean
  readonly html: string
  /** The Markdown as it was written, with what GitHub hides. */
  readonly source: string
  readonly reactions: readonly ReactionView[]
}

export interface Author {
  readonly login: string
  readonly isBot: boolean
}

export interface ReactionView {
  readonly emoji: string
  readonly logins: readonly string[]
}

export interface RunView {
  readonly key: string
  readonly title: string
  readonly event: string
  readonly state: 'running' | 'success' | 'failure'
  /** The outcome, and the reason where there is one; '' while it runs and for actions that have none. */
  readonly outcome: string
  readonly startedAt: string
  readonly seconds: number | null
  readonly thread: { readonly key: string; readonly name: string } | undefined
  readonly log: readonly string[]
  readonly summary: string
}
