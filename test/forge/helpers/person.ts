import { setTimeout as pause } from 'node:timers/promises'
import { type ForgeApi, ForgeError } from '../../../scripts/forge/api.ts'

export interface Comment {
  readonly id: number
  readonly body: string
  readonly user: { readonly login: string }
}

interface Thread {
  readonly number: number
  readonly title: string
  readonly body: string
  readonly html_url: string
  readonly user: { readonly login: string }
}

const MERGE_TRIES = 40

/** What someone does in a repository, by the instance's API. */
export class Person {
  readonly api: ForgeApi
  readonly #path: string

  /** @param repository `owner/name` */
  constructor(api: ForgeApi, repository: string) {
    this.api = api
    this.#path = `/repos/${repository}`
  }

  /** @returns the issue's number */
  async opensIssue(title = 'Explain retries', body = 'The docs do not mention `retry`.'): Promise<number> {
    return (await this.api.post<Thread>(`${this.#path}/issues`, { title, body })).number
  }

  comments = (thread: number, body: string) =>
    this.api.post<Comment>(`${this.#path}/issues/${thread}/comments`, { body })

  /**
   * @param fork `owner/name` of the repository that the branch is in, when it is another one
   * @returns the pull request's number
   */
  async opensPullRequest(branch: string, fork?: string): Promise<number> {
    const content = Buffer.from(`${branch}\n`).toString('base64')
    const commit = { message: `Add ${branch}`, content, branch: 'main', new_branch: branch }
    await this.api.post(`${fork === undefined ? this.#path : `/repos/${fork}`}/contents/${branch}.md`, commit)
    const head = fork === undefined ? branch : `${fork.split('/')[0]}:${branch}`
    const pull = { title: `Add ${branch}`, body: `It adds ${branch}.`, base: 'main', head }
    return (await this.api.post<Thread>(`${this.#path}/pulls`, pull)).number
  }

  reviews = (number: number, body: string) =>
    this.api.post(`${this.#path}/pulls/${number}/reviews`, { event: 'COMMENT', body })

  /** Gitea refuses while it still looks for conflicts. */
  async merges(number: number): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.api.post(`${this.#path}/pulls/${number}/merge`, { Do: 'merge' })
        return
      } catch (error) {
        if (!(error instanceof ForgeError) || error.status !== 405 || tries === MERGE_TRIES) throw error
      }
      await pause(250)
    }
  }

  /** @returns `owner/name` of the copy, once it can be written to */
  async forks(): Promise<string> {
    const { full_name } = await this.api.post<{ full_name: string }>(`${this.#path}/forks`)
    return full_name
  }

  dispatches = (workflow = 'docs-0.yml') =>
    this.api.post(`${this.#path}/actions/workflows/${workflow}/dispatches`, { ref: 'main' })

  async commentsOf(thread: number): Promise<readonly Comment[]> {
    return this.api.get<Comment[]>(`${this.#path}/issues/${thread}/comments`)
  }

  async openIssues(): Promise<readonly Thread[]> {
    return this.api.get<Thread[]>(`${this.#path}/issues?state=open&type=issues`)
  }

  async openPullRequests(): Promise<readonly Thread[]> {
    return this.api.get<Thread[]>(`${this.#path}/pulls?state=open`)
  }

  async reactionsTo({ id }: Pick<Comment, 'id'>): Promise<readonly string[]> {
    const reactions = await this.api.get<{ content: string }[] | null>(
      `${this.#path}/issues/comments/${id}/reactions`,
    )
    return (reactions ?? []).map(({ content }) => content)
  }
}
