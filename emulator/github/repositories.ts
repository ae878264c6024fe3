import type { Settings } from '../options.ts'
import { hash } from '../random.ts'
import { Access, type Permission } from './access.ts'
import { ACTIONS, type Check, Checks, type CommitStatus, shownOf, started, stateOf } from './checks.ts'
import { type Comparison, emptyRepository, type PullRequest, type Repository } from './model.ts'

/** The repositories, who may do what on them, and what belongs to no thread. `repo` defaults to the workflow's. */
export class Repositories {
  readonly access = new Access()
  /** What checks the heads of pull requests. */
  readonly checks = new Checks()
  /** Workflow files of the default branch of the workflow's repository: their texts, by their names. */
  readonly workflows = new Map<string, string>()
  protected readonly settings: Settings
  /** By name in lower case. */
  readonly #repositories = new Map<string, Repository>()
  #nextId = 1_000_001

  constructor(settings: Settings) {
    this.settings = settings
    this.addRepository(settings.repository)
    if (this.repository(settings.docsRepository)) return
    this.addRepository(settings.docsRepository, settings.docsRepositoryVisibility === 'private')
  }

  /** One more repository, which the workflow's token reads if it is public. */
  addRepository(name: string, isPrivate = false): void {
    if (this.repository(name)) throw new Error(`${name} exists already`)
    this.#repositories.set(name.toLowerCase(), { ...emptyRepository(name), isPrivate })
  }

  repository(name: string): Repository | undefined {
    return this.#repositories.get(name.toLowerCase())
  }

  repositoryById(id: number): Repository | undefined {
    return [...this.#repositories.values()].find((repo) => repo.id === id)
  }

  setPermission(login: string, permission: string | Permission): void {
    this.access.set(login, permission)
  }

  /** SHA of the last commit of a base branch. A new one begins where `main` is. */
  branchHead(ref = 'main', name?: string): string {
    const { branches } = this.repo(name)
    const head = branches.get(ref) ?? branches.get('main') ?? ''
    branches.set(ref, head)
    return head
  }

  /** A file as it is at a commit. @returns its address, to which a number of lines can follow */
  addCode(sha: string, path: string, text: string, name?: string): string {
    const repo = this.repo(name)
    repo.code.set(`${sha}/${path}`, text)
    return `https://github.com/${repo.name}/blob/${sha}/${path}`
  }

  /** What `GET /repos/…/compare/{base}...{head}` answers, whatever the repository's own commits say. */
  setCompare(base: string, head: string, comparison: Partial<Comparison>): void {
    this.repo().comparisons.set(`${base}...${head}`, { files: [], commits: [], ...comparison })
  }

  /**
   * Starts checks on a commit, beside those that it has: a second one of the same name and suite is a re-run. The commit
   * may be any, such as `branchHead('main')`.
   */
  addChecks(sha: string, checks: readonly Check[], name?: string): void {
    const repo = this.repo(name)
    const known = repo.checks.get(sha) ?? []
    const firstId = 1_000_000_000 + (hash('check', repo.id, sha) % 1_000_000_000) + known.length
    const added = started(sha, checks, { known, firstId, now: this.settings.now() })
    repo.checks.set(sha, [...known, ...added])
  }

  /** The statuses of a commit that show, in the order in which they came. */
  statuses(sha: string, name?: string): readonly CommitStatus[] {
    const now = this.settings.now()
    return shownOf(this.repo(name).checks.get(sha) ?? [], 'status', now).map((status) => ({
      context: status.name,
      state: stateOf(status, now),
      description: status.summary ?? '',
      targetUrl: status.detailsUrl ?? '',
      creator: status.creator ?? '',
      at: this.time(status.appearsAt),
    }))
  }

  /** @param isParked the workflows wait for an approval, as after a push with `GITHUB_TOKEN` */
  protected checkHead(repo: Repository, pull: PullRequest, isParked = false): void {
    const { sha } = pull.head
    const all = pull.isChecked ? this.checks.next(sha) : []
    const isWorkflow = ({ kind, app = ACTIONS }: Check) => kind !== 'status' && app === ACTIONS
    // No workflow of a pull request runs on a conflict, not even to be approved.
    const runs = pull.isConflicting || isParked ? all.filter((check) => !isWorkflow(check)) : all
    const suites = all
      .filter(isWorkflow)
      .map(({ kind, name, suite = '' }) => (kind === 'suite' ? name : suite))
    const parked = [...new Set(suites.length > 0 ? suites : [''])].map(
      (suite): Check => ({ kind: 'suite', name: suite, conclusion: 'action_required' }),
    )
    this.addChecks(sha, [...(isParked && !pull.isConflicting ? parked : []), ...runs], repo.name)
  }

  /** Adds to the pull requests that have the commit as merge or head. */
  setCommitPulls(sha: string, pulls: readonly number[]): void {
    this.repo().commitPulls.set(sha, pulls)
  }

  /** Now, or a given time (ISO 8601 or milliseconds since the epoch), to the second. */
  time(at: number | string = this.settings.now()): string {
    return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
  }

  repo(name = this.settings.repository): Repository {
    const repo = this.repository(name)
    if (!repo) throw new Error(`No repository ${name}`)
    return repo
  }

  protected nextId(): number {
    this.#nextId += 1
    return this.#nextId
  }
}
