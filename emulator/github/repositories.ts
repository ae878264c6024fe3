import type { Settings } from '../options.ts'
import { hash } from '../random.ts'
import { Access, type Permission } from './access.ts'
import { type Check, Checks, type StartedCheck } from './checks.ts'
import { type Comparison, emptyRepository, type PullRequest, type Repository } from './model.ts'
import { Past } from './past.ts'

/** The repositories, who may do what on them, and what belongs to no thread. `repo` defaults to the workflow's. */
export class Repositories {
  readonly access = new Access()
  /** What checks the heads of pull requests. */
  readonly checks = new Checks()
  protected readonly settings: Settings
  /** By name in lower case; a renamed repository stands under its former names too. */
  readonly #repositories = new Map<string, Repository>()
  readonly #past = new Past()
  #nextId = 1_000_001

  constructor(settings: Settings) {
    this.settings = settings
    for (const name of [settings.repository, settings.docsRepository])
      if (!this.repository(name)) this.#repositories.set(name.toLowerCase(), emptyRepository(name))
  }

  /** By its name, or by one that it had before. */
  repository(name: string): Repository | undefined {
    return this.#repositories.get(name.toLowerCase())
  }

  repositoryById(id: number): Repository | undefined {
    return [...this.#repositories.values()].find((repo) => repo.id === id)
  }

  /** The id stays, and the API redirects from the old name. */
  renameRepository(from: string, to: string): void {
    const repo = this.repo(from)
    repo.name = to
    this.#repositories.set(to.toLowerCase(), repo)
  }

  setPermission(login: string, permission: string | Permission): void {
    this.access.set(login, permission)
  }

  /** What `GET /repos/…/compare/{base}...{head}` answers. */
  setCompare(base: string, head: string, comparison: Partial<Comparison>): void {
    this.repo().comparisons.set(`${base}...${head}`, { files: [], commits: [], ...comparison })
  }

  /** Starts checks on a commit, beside those that it has: a second one of the same name is a re-run. */
  addChecks(sha: string, checks: readonly Check[], name?: string): void {
    const repo = this.repo(name)
    const known = repo.checks.get(sha) ?? []
    const firstId = 1_000_000_000 + (hash('check', repo.id, sha) % 1_000_000_000) + known.length
    const started = checks.map((check, index): StartedCheck => {
      const appearsAt = this.settings.now() + (check.appearsAfterMs ?? 0)
      return { ...check, id: firstId + index, sha, appearsAt, endsAt: appearsAt + (check.takesMs ?? 0) }
    })
    repo.checks.set(sha, [...known, ...started])
  }

  protected checkHead(repo: Repository, { head }: PullRequest): void {
    this.addChecks(head.sha, this.checks.next(head.sha), repo.name)
  }

  /** Adds to the pull requests that have the commit as merge or head. */
  setCommitPulls(sha: string, pulls: readonly number[]): void {
    this.repo().commitPulls.set(sha, pulls)
  }

  /** Now, or a given time (ISO 8601 or milliseconds since the epoch), to the second. */
  time(at: number | string = this.settings.now()): string {
    return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
  }

  /** The caller may change it: lists that lag show how it stood until then. */
  repo(name = this.settings.repository): Repository {
    const repo = this.repository(name)
    if (!repo) throw new Error(`No repository ${name}`)
    if (this.settings.listLag !== undefined) this.#past.keep(repo, this.settings.now())
    return repo
  }

  /** How a repository stood at a time (milliseconds since the epoch) that no list lags beyond. */
  asOf(repo: Repository, time: number): Repository {
    return this.#past.at(repo, time)
  }

  protected nextId(): number {
    this.#nextId += 1
    return this.#nextId
  }
}
