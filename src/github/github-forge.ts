import { isRefused, unusableAnswer } from '../errors.ts'
import { parseAccount, parsePullRequest } from '../event/objects.ts'
import type { BodySource, RunContext } from '../event/trigger.ts'
import { asArray, asId, asObject, asString, type JsonObject } from '../json.ts'
import type { RepositoryName } from '../link.ts'
import { fullName } from '../link.ts'
import {
  type CommitStatus,
  newestOfEach,
  parseAnnotation,
  parseCheckRun,
  parseCheckSuite,
  parseComparison,
  parseFile,
  parseList,
  parseRendering,
  parseRequested,
  parseReviewer,
  parseStatus,
  parseWorkflowRun,
} from './answers.ts'
import type { Forge } from './forge.ts'
import { gitHubThreads, LAST_CHANGED_FIRST } from './github-threads.ts'
import type { Connection } from './octokit.ts'
import { entriesOf, PAGE_SIZE, SMALL_PAGE_SIZE } from './pages.ts'
import { parsePermission } from './permissions.ts'
import type { Octokit } from './requests.ts'

/** As github.com and GitHub Enterprise Server take the calls. */
export function gitHubForge(
  connection: Connection,
  context: Pick<RunContext, 'repository' | 'repositoryId'>,
): Forge {
  const { octokit, known, repeated, retry } = connection
  const { repository, repositoryId } = context
  const { actions, issues, markdown, pulls, repos, users } = octokit.rest

  async function readOwnLogin(): Promise<string | undefined> {
    try {
      return asString((await users.getAuthenticated()).data.login) || undefined
    } catch (error) {
      // The token of a workflow has no account of its own; it comments as a bot.
      if (isRefused(error, 401, 403, 404)) return undefined
      known.ownLogin = undefined
      throw error
    }
  }

  async function readHadName({ owner, repo }: RepositoryName): Promise<boolean> {
    try {
      return asId((await repos.get({ owner, repo })).data.id) === repositoryId
    } catch (error) {
      if (isRefused(error)) return false
      known.names.delete(keyOf({ owner, repo }))
      throw error
    }
  }

  const forge: Forge = {
    ...gitHubThreads(connection, repository),
    repository,
    repositoryId,

    threadsOf: (other) => gitHubThreads(connection, other),
    clock: connection.clock,
    during: (limits) => gitHubForge(connection.during(limits), context),

    /** https://docs.github.com/rest/repos/repos#get-a-repository */
    async hadName(name) {
      const reading = known.names.get(keyOf(name)) ?? readHadName(name)
      known.names.set(keyOf(name), reading)
      return await reading
    },

    /** https://docs.github.com/rest/collaborators/collaborators#get-repository-permissions-for-a-user */
    async permissionOf(username) {
      const { data } = await repos.getCollaboratorPermissionLevel({ ...repository, username })
      return parsePermission(data, username)
    },

    async ownLogin() {
      known.ownLogin ??= readOwnLogin()
      return await known.ownLogin
    },

    async readBody(source) {
      const { body, body_html } = await readResource(octokit, repository, source)
      if (body !== null && typeof body_html !== 'string') throw unusableAnswer('one without rendered text')
      return { markdown: asString(body), html: asString(body_html) }
    },

    async renderMarkdown(text) {
      const parameters = { text, mode: 'gfm', context: fullName(repository) } as const
      return parseRendering((await markdown.render(parameters)).data)
    },

    async pullRequest({ owner, repo, number }) {
      const parameters = { owner, repo, pull_number: number, request: repeated }
      return parsePullRequest((await pulls.get(parameters)).data)
    },

    async pullRequestFiles(pull_number, most) {
      const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files'
      return await entriesOf(octokit, route, { ...repository, pull_number }, parseFile, { most })
    },

    async pullRequestsOf(commit_sha) {
      const parameters = { ...repository, commit_sha, per_page: SMALL_PAGE_SIZE }
      const { data } = await repos.listPullRequestsAssociatedWithCommit(parameters)
      return parseList(data).map(parsePullRequest)
    },

    async mergedInto(base) {
      const parameters = { ...repository, state: 'closed', base, ...LAST_CHANGED_FIRST } as const
      const closed = await entriesOf(octokit, CLOSED, parameters, parsePullRequest, { most: PAGE_SIZE })
      return closed.filter(({ state }) => state === 'merged')
    },

    async closedPullRequests(base, page) {
      const closed = { ...repository, state: 'closed', base, ...LAST_CHANGED_FIRST } as const
      const parameters = { ...closed, mediaType: { format: 'full+json' } }
      // Where rendering takes GitHub too long, the texts that matter are rendered one by one.
      const inSmall = { ...closed, mediaType: { format: 'raw+json' } }
      const options = { from: page, inSmall, most: PAGE_SIZE }
      return await entriesOf(octokit, CLOSED, parameters, parsePullRequest, options)
    },

    /** https://docs.github.com/rest/pulls/review-requests#request-reviewers-for-a-pull-request */
    async requestReviews({ owner, repo, number }, reviewers, teams) {
      const asked = { reviewers: [...reviewers], team_reviewers: [...teams] }
      await pulls.requestReviewers({ owner, repo, pull_number: number, ...asked })
    },

    async reviewing({ owner, repo, number }) {
      const parameters = { owner, repo, pull_number: number }
      // In this order: a review that comes meanwhile is in the one or in the other.
      const requested = parseRequested((await pulls.listRequestedReviewers(parameters)).data)
      const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews'
      const given = await entriesOf(octokit, route, parameters, parseReviewer)
      return { ...requested, people: [...requested.people, ...given.flat()] }
    },

    async addLabels({ owner, repo, number }, labels) {
      const { data } = await issues.addLabels({ owner, repo, issue_number: number, labels: [...labels] })
      return asArray(data).map((label) => asString(asObject(label).name))
    },

    async lastCommitAuthor(pull_number) {
      const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits'
      const commits = await entriesOf(octokit, route, { ...repository, pull_number }, asObject)
      return commits.length < MOST_LISTED_COMMITS ? parseAccount(commits.at(-1)?.author) : undefined
    },

    async checkRuns({ owner, repo }, ref) {
      const route = 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs'
      const latest = { owner, repo, ref, filter: 'latest' } as const
      const options = { field: 'check_runs', request: repeated }
      return await entriesOf(octokit, route, latest, parseCheckRun, options)
    },

    async checkSuites({ owner, repo }, ref) {
      const route = 'GET /repos/{owner}/{repo}/commits/{ref}/check-suites'
      const options = { field: 'check_suites', request: repeated }
      return await entriesOf(octokit, route, { owner, repo, ref }, parseCheckSuite, options)
    },

    async workflowRun({ owner, repo }, id) {
      return parseWorkflowRun((await actions.getWorkflowRun({ owner, repo, run_id: Number(id) })).data)
    },

    /** Of the combined status. */
    async commitStatuses({ owner, repo }, ref) {
      const route = 'GET /repos/{owner}/{repo}/commits/{ref}/status'
      const options = { field: 'statuses', request: repeated }
      return newestOfEach(await entriesOf(octokit, route, { owner, repo, ref }, parseStatus, options))
    },

    async setCommitStatus({ owner, repo }, sha, { state, context, description, targetUrl }) {
      const link = targetUrl !== '' && { target_url: targetUrl }
      const set = async () => {
        await repos.createCommitStatus({ owner, repo, sha, state, context, description, ...link })
        return true
      }
      await retry('create', set, async () => {
        // Who may set a status may not be able to read one.
        const there = await forge.commitStatuses({ owner, repo }, sha).catch(() => [])
        const isIt = (one: CommitStatus) =>
          one.context === context && one.state === state && one.description === description
        return there.some(isIt) || undefined
      })
    },

    async annotations({ owner, repo }, check_run_id, most) {
      const route = 'GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations'
      return await entriesOf(octokit, route, { owner, repo, check_run_id }, parseAnnotation, { most })
    },

    async compare(before, after) {
      const read = async (page: number) => {
        const parameters = { ...repository, basehead: `${before}...${after}`, per_page: PAGE_SIZE, page }
        return parseComparison((await repos.compareCommitsWithBasehead(parameters)).data)
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
  return forge
}

const keyOf = (name: RepositoryName): string => fullName(name).toLowerCase()

const CLOSED = 'GET /repos/{owner}/{repo}/pulls'

/** GitHub lists the first 250 of a pull request, and does not say that there are more. */
const MOST_LISTED_COMMITS = 250

/** A thousand commits. */
const MOST_COMPARED_PAGES = 10

/** The issue, pull request or release that holds a text, with its rendering where the forge sends that along. */
async function readResource(
  octokit: Octokit,
  repository: RepositoryName,
  { kind, ...ids }: BodySource,
): Promise<JsonObject> {
  const parameters = { ...repository, ...ids, mediaType: { format: 'full+json' } }
  return asObject((await octokit.request(`GET /repos/{owner}/{repo}/${RESOURCES[kind]}`, parameters)).data)
}

const RESOURCES: Readonly<Record<BodySource['kind'], string>> = {
  issue: 'issues/{number}',
  pull: 'pulls/{number}',
  release: 'releases/{id}',
}
