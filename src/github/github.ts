import { type GitHubError, isMade, isRefused, unusableAnswer } from '../base/errors.ts'
import { asArray, asId, asObject, asString } from '../base/json.ts'
import { fullName, type PullRequestRef, type RepositoryName } from '../base/link.ts'
import type { CommentChannel } from '../event/mail.ts'
import { type Account, type PullRequest, parseAccount, parsePullRequest } from '../event/objects.ts'
import type { BodySource, Runner } from '../event/trigger.ts'
import type { Permission } from '../record/permission.ts'
import { accountCalls } from './account.ts'
import {
  type ChangedFile,
  type CommitStatus,
  type Comparison,
  newestOfEach,
  parseAnnotation,
  parseCheckRun,
  parseCheckSuite,
  parseComparison,
  parseFile,
  parseList,
  parsePermission,
  parseRendering,
  parseRequested,
  parseReviewer,
  parseStatus,
  parseWorkflowRun,
} from './answers.ts'
import { channelOf, type Discussion, readDiscussion } from './discussion.ts'
import { readHeadsAtWork } from './heads-at-work.ts'
import type { Connection } from './octokit.ts'
import { entriesOf, LONG_BODIES, PAGE_SIZE } from './pagination.ts'
import { wholeOf, withEnd } from './rendering.ts'
import { CONTEXT_MS } from './retry-budget.ts'
import { threadCalls } from './threads.ts'
import { readWorkflowFiles } from './workflow-files.ts'

export type { CommentRef } from './threads.ts'

/** What the action says of a commit: https://docs.github.com/rest/commits/statuses#create-a-commit-status */
interface NewStatus {
  readonly state: 'error' | 'failure' | 'pending' | 'success'
  readonly context: string
  /** One line of at most 140 characters. */
  readonly description: string
  readonly target_url: string
}

export type GitHub = ReturnType<typeof repositoryClient>

const PULLS = 'GET /repos/{owner}/{repo}/pulls'
const COMMIT = 'GET /repos/{owner}/{repo}/commits/{ref}'
const WORKFLOW_RUNS = 'GET /repos/{owner}/{repo}/actions/runs'
const JOB_LOG = 'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs'
const LAST_CHANGED_FIRST = { sort: 'updated', direction: 'desc' } as const
/** GitHub lists the first 250 of a pull request, and does not say that there are more. */
const MOST_LISTED_COMMITS = 250
/** A thousand commits. */
const MOST_COMPARED_PAGES = 10

/**
 * Every call to GitHub, for the repository of the workflow or of `pull`. What fails is tried again first; then a method
 * rejects with a `GitHubError`. After `most` entries no further page is read.
 */
export function repositoryClient(
  connection: Connection,
  { repository, repositoryId }: Pick<Runner, 'repository' | 'repositoryId'>,
) {
  const { octokit, writeOnce, clock, readStored } = connection
  const { issues, markdown, pulls, repos } = octokit.rest
  const threads = threadCalls(connection, repository)
  /** Whether a name, in lower case, is one of the repository's: a sweep of many jobs asks for it again and again. */
  const names = new Map<string, Promise<boolean>>()
  /** Why the token sees nothing of another repository, by its name in lower case: it is asked for once. */
  const unseen = new Map<string, GitHubError>()

  const filesOf = async ({ owner, repo, number }: PullRequestRef, most: number, patienceMs?: number) =>
    await entriesOf(
      octokit,
      `${PULLS}/{pull_number}/files`,
      { owner, repo, pull_number: number, request: { patienceMs } },
      parseFile,
      { most },
    )

  const logAddress = async ({ owner, repo }: RepositoryName, job_id: number): Promise<string> => {
    const parameters = { owner, repo, job_id, request: { patienceMs: CONTEXT_MS } }
    const { headers } = await octokit.request(JOB_LOG, parameters)
    return headers.location ?? ''
  }

  return {
    ...threads,
    ...accountCalls(connection),
    repository,
    repositoryId,
    /**
     * GitHub's own time, in ms since the epoch, by the `Date` of its last answer, which counts whole seconds; this
     * machine's before the first one. For comparisons with times that GitHub writes.
     */
    clock,

    /** In another repository. */
    threadsOf: (other: RepositoryName) => threadCalls(connection, other),

    /** Whether the repository had this name before: GitHub leads from there to it, until another one takes the name. */
    async hadName({ owner, repo }: RepositoryName): Promise<boolean> {
      const name = fullName({ owner, repo }).toLowerCase()
      const known = names.get(name)
      if (known !== undefined) return await known
      const reading = repos.get({ owner, repo }).then(
        ({ data }) => asId(data.id) === repositoryId,
        (error: unknown) => {
          if (!isRefused(error)) {
            names.delete(name)
            throw error
          }
          unseen.set(name, error)
          return false
        },
      )
      names.set(name, reading)
      return await reading
    },

    /** The lower of `role_name` and `permission`. @param patienceMs with GitHub, where a note can replace it */
    async permissionOf(username: string, patienceMs?: number): Promise<Permission> {
      const request = { patienceMs }
      const { data } = await repos.getCollaboratorPermissionLevel({ ...repository, username, request })
      return parsePermission(data, username)
    },

    async readBody({
      kind,
      ...ids
    }: BodySource): Promise<{ readonly markdown: string; readonly html: string }> {
      const parameters = { ...repository, ...ids, mediaType: { format: 'full+json' } }
      const { data } = await octokit.request(`GET /repos/{owner}/{repo}/${RESOURCES[kind]}`, parameters)
      const { body, body_html } = asObject(data)
      if (body !== null && typeof body_html !== 'string') throw unusableAnswer('one without rendered text')
      return { markdown: asString(body), html: asString(body_html) }
    },

    /**
     * Whether comments came by mail, which REST does not say; `unknown` where GitHub gives no answer in time.
     * https://docs.github.com/graphql/reference/interfaces#comment
     * @param nodeIds of which the first hundred are asked about
     */
    async channelsOf(nodeIds: readonly string[]): Promise<ReadonlyMap<string, CommentChannel>> {
      if (nodeIds.length === 0) return new Map()
      const query = 'query($ids: [ID!]!) { nodes(ids: $ids) { id ... on Comment { createdViaEmail } } }'
      const request = { patienceMs: CONTEXT_MS }
      const ids = nodeIds.slice(0, 100)
      const answer = await octokit.graphql(query, { ids, request }).catch(() => undefined)
      const nodes = asArray(asObject(answer).nodes).map(asObject)
      return new Map(nodes.map((node, at) => [ids[at] ?? '', channelOf(node)]))
    },

    headsAtWork: (pulls: readonly PullRequestRef[]) => readHeadsAtWork(octokit, pulls),

    workflowFiles: () => readWorkflowFiles(octokit, repository),

    /** Reviews and lines of a pull request of this repository. */
    discussion: (number: number): Promise<Discussion> => readDiscussion(octokit, repository, number),

    /** @returns HTML. Rejects where a part of it is missing. */
    async renderMarkdown(text: string): Promise<string> {
      const parameters = { text: withEnd(text), mode: 'gfm', context: fullName(repository) } as const
      const html = wholeOf(parseRendering((await markdown.render(parameters)).data), text)
      if (html === undefined) throw unusableAnswer('a part of the rendered text')
      return html
    },

    /** While nothing changes, reading it again takes nothing of the limit of the hour. */
    async pullRequest({ owner, repo, number }: PullRequestRef): Promise<PullRequest> {
      const refusal = unseen.get(fullName({ owner, repo }).toLowerCase())
      if (refusal !== undefined) throw refusal
      return parsePullRequest((await pulls.get({ owner, repo, pull_number: number })).data)
    },

    /** Of the repository of the workflow. @param patienceMs with GitHub, where a note can replace them: `CONTEXT_MS` */
    async pullRequestFiles(
      number: number,
      most: number,
      patienceMs?: number,
    ): Promise<readonly ChangedFile[]> {
      return await filesOf({ ...repository, number }, most, patienceMs)
    },

    filesOf,

    /** Of any repository that the token may read, without its pull requests. */
    async tryPullRequests({ owner, repo }: RepositoryName): Promise<void> {
      await pulls.list({ owner, repo, per_page: 1 })
    },

    /** Every pull request that the commit belongs to, whatever its state. GitHub may learn it after the push. */
    async pullRequestsOf(commit_sha: string): Promise<readonly PullRequest[]> {
      const { data } = await repos.listPullRequestsAssociatedWithCommit({ ...repository, commit_sha })
      return parseList(data).map(parsePullRequest)
    },

    /**
     * The merged ones of the hundred closed pull requests that changed last, that one first; their texts are not rendered
     * (`html` is undefined). https://docs.github.com/rest/pulls/pulls#list-pull-requests
     * @param base of layers of a stack, this finds only the lowest; undefined for those of every branch
     */
    async mergedInto(base: string | undefined): Promise<readonly PullRequest[]> {
      const closed = { ...repository, state: 'closed', ...(base !== undefined && { base }) }
      const parameters = { ...closed, ...LAST_CHANGED_FIRST, ...LONG_BODIES }
      const pulls = await entriesOf(octokit, PULLS, parameters, parsePullRequest, { most: PAGE_SIZE })
      return pulls.filter(({ state }) => state === 'merged')
    },

    /** Merged ones, too, the one that changed last first. @param base as in `mergedInto` @param page from 1 */
    async closedPullRequests(base: string | undefined, page: number): Promise<readonly PullRequest[]> {
      const ofBase = base !== undefined && { base }
      const closed = { ...repository, state: 'closed', ...ofBase, ...LAST_CHANGED_FIRST } as const
      const mediaType = { format: 'full+json' }
      const { data } = await pulls.list({ ...closed, ...LONG_BODIES, page, mediaType })
      return parseList(data).map(parsePullRequest)
    },

    /** In addition to earlier requests. @param teams slugs of teams of the repository's owner */
    async requestReviews(
      { owner, repo, number }: PullRequestRef,
      reviewers: readonly string[],
      teams: readonly string[],
    ): Promise<void> {
      const asked = { reviewers: [...reviewers], team_reviewers: [...teams] }
      await pulls.requestReviewers({ owner, repo, pull_number: number, ...asked })
    },

    /** Also of those who have given theirs: GitHub no longer counts them as asked. */
    async reviewing({ owner, repo, number }: PullRequestRef) {
      const parameters = { owner, repo, pull_number: number }
      // In this order: a review that comes meanwhile is in the one or in the other.
      const { people, teams } = parseRequested((await pulls.listRequestedReviewers(parameters)).data)
      const route = `${PULLS}/{pull_number}/reviews`
      const given = await entriesOf(octokit, route, { ...parameters, ...LONG_BODIES }, parseReviewer)
      return { people: [...people, ...given.filter(Boolean)], teams }
    },

    /** @returns all labels that it then has */
    async addLabels({ owner, repo, number }: PullRequestRef, labels: readonly string[]) {
      const { data } = await issues.addLabels({ owner, repo, issue_number: number, labels: [...labels] })
      return asArray(data).map((label) => asString(asObject(label).name))
    },

    /**
     * The account of the author of the newest commit of a pull request: undefined where it has none, where the mail address
     * of the commit belongs to none, and from 250 commits on, of which GitHub may list no more.
     */
    async lastCommitAuthor(pull_number: number): Promise<Account | undefined> {
      const parameters = { ...repository, pull_number }
      const commits = await entriesOf(octokit, `${PULLS}/{pull_number}/commits`, parameters, asObject)
      return commits.length < MOST_LISTED_COMMITS ? parseAccount(commits.at(-1)?.author) : undefined
    },

    /**
     * All check runs of a commit, each as it ran last in its suite, the newest first; the caller judges which replace
     * others. @param ref a SHA, or the name of a branch for its head, here and below
     */
    async checkRuns({ owner, repo }: RepositoryName, ref: string) {
      const parameters = { owner, repo, ref, filter: 'latest' }
      return await entriesOf(octokit, `${COMMIT}/check-runs`, parameters, parseCheckRun, {
        field: 'check_runs',
      })
    },

    /** The suites of a commit, also those without runs. Rejects as refused (403, 404) where the token may not read checks. */
    async checkSuites({ owner, repo }: RepositoryName, ref: string) {
      const parameters = { owner, repo, ref }
      return await entriesOf(octokit, `${COMMIT}/check-suites`, parameters, parseCheckSuite, {
        field: 'check_suites',
      })
    },

    /** The runs of workflows for a commit. Rejects as refused (403, 404) without `actions: read`. @param head_sha whole */
    async workflowRuns({ owner, repo }: RepositoryName, head_sha: string) {
      const found = await entriesOf(octokit, WORKFLOW_RUNS, { owner, repo, head_sha }, parseWorkflowRun, {
        field: 'workflow_runs',
      })
      return found.filter(({ suiteId, workflowId }) => suiteId > 0 && workflowId > 0)
    },

    /** The newest of each context. */
    async commitStatuses({ owner, repo }: RepositoryName, ref: string): Promise<readonly CommitStatus[]> {
      const parameters = { owner, repo, ref }
      return newestOfEach(
        await entriesOf(octokit, `${COMMIT}/status`, parameters, parseStatus, { field: 'statuses' }),
      )
    },

    /**
     * The newest status of a context counts.
     * @param isOver looks, after a lost answer, whether somebody else has decided it since
     */
    async setCommitStatus(sha: string, status: NewStatus, isOver = async () => false): Promise<void> {
      await writeOnce<unknown>(
        async () => {
          await repos.createCommitStatus({ ...repository, sha, ...status }).catch(unlessMade)
        },
        async () => (await isOver()) || undefined,
      )
    },

    async annotations({ owner, repo }: PullRequestRef, check_run_id: number, most: number) {
      const route = 'GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations'
      return await entriesOf(octokit, route, { owner, repo, check_run_id }, parseAnnotation, { most })
    },

    /** Where the log of a job of GitHub Actions is, for a minute. Rejects as refused: 403 without `actions: read`, 410 once it is gone. */
    logAddress,

    /** The end of the log of a job of GitHub Actions. Its check run has the same id. */
    jobLog: async (at: RepositoryName, jobId: number): Promise<string> =>
      await readStored(await logAddress(at, jobId)),

    /**
     * From one commit of the repository to another, whichever is older. A very long comparison has its oldest page, with
     * the files (300 at most), and its newest pages. https://docs.github.com/rest/commits/commits#compare-two-commits
     */
    async compare(before: string, after: string): Promise<Comparison> {
      const parameters = { ...repository, basehead: `${before}...${after}`, per_page: PAGE_SIZE }
      const read = async (page: number): Promise<Comparison> => {
        const request = { patienceMs: CONTEXT_MS }
        return parseComparison(
          (await repos.compareCommitsWithBasehead({ ...parameters, page, request })).data,
        )
      }
      const first = await read(1)
      if (first.missing === 0) return first
      const last = Math.ceil((first.commits.length + first.missing) / PAGE_SIZE)
      const from = Math.max(2, last - MOST_COMPARED_PAGES + 2)
      const pages = Array.from({ length: Math.max(0, last - from + 1) }, (_, at) => from + at)
      const more = (await Promise.all(pages.map(read))).flatMap(({ commits }) => commits)
      return { ...first, commits: [...first.commits, ...more], missing: first.missing - more.length }
    },
  }
}

/** Of a write whose answer holds nothing that is needed. */
function unlessMade(error: unknown): void {
  if (!isMade(error)) throw error
}

const RESOURCES: Readonly<Record<BodySource['kind'], string>> = {
  issue: 'issues/{number}',
  pull: 'pulls/{number}',
  release: 'releases/{id}',
}
