import { ForgeError, isRefused } from '../errors.ts'
import { parseAccount, parsePullRequest } from '../event/objects.ts'
import type { RunContext } from '../event/trigger.ts'
import { asObject, asString, isObject, type JsonObject } from '../json.ts'
import { fullName } from '../link.ts'
import {
  newestOfEach,
  parseComparison,
  parseIssue,
  parseList,
  parseRendering,
  parseRepositoryComment,
  parseReview,
  parseStatus,
} from './answers.ts'
import type { Forge } from './forge.ts'
import { gitHubForge, readResource } from './github-forge.ts'
import type { Connection } from './octokit.ts'
import { permissionOfSender, permissionOnGitHub } from './permissions.ts'

/** As many as Gitea lists on a page, unless its administrator says otherwise. */
const PAGE_SIZE = 50
/** 100,000 comments that changed within the time of a sweep: a listing that goes on for longer never ends. */
const MOST_PAGES = 2000

type Filter = Readonly<Record<string, string>>

/**
 * Gitea and Forgejo, as far as they differ from GitHub: https://docs.gitea.com/api/1.26/
 * This is the one real server with a real runner that the tests can have: `npm run e2e:forge`.
 */
export function giteaForge(connection: Connection, context: RunContext, hasAttemptPages: boolean): Forge {
  const { octokit } = connection
  const { repository } = context
  const gitHub = gitHubForge(connection, context, (name) =>
    name === 'owner' ? 'admin' : permissionOnGitHub(name),
  )
  const sender = permissionOfSender(context)

  /** `total` counts the entries of all pages, and is NaN where the server does not say. @param page from 1 */
  async function pageOf(list: string, page: number, filter: Filter = {}) {
    const parameters = { ...repository, ...filter, limit: PAGE_SIZE, page }
    const { data, headers } = await octokit.request(`GET /repos/{owner}/{repo}/${list}`, parameters)
    return { entries: parseList(data), total: Number(headers['x-total-count']) }
  }

  async function* pagesOf(list: string, filter: Filter): AsyncIterable<readonly unknown[]> {
    let read = 0
    for (let page = 1; page <= MOST_PAGES; page++) {
      const { entries, total } = await pageOf(list, page, filter)
      yield entries
      read += entries.length
      if (entries.length === 0 || read >= total) return
    }
  }

  async function entriesOf(list: string, filter: Filter): Promise<readonly unknown[]> {
    const all: unknown[] = []
    for await (const page of pagesOf(list, filter)) all.push(...page)
    return all
  }

  const forge: Forge = {
    ...gitHub,
    hasAttemptPages,

    during: (limits) => giteaForge(connection.during(limits), context, hasAttemptPages),

    /** Only an administrator's token may ask; for the token of a job, the event tells what its sender may do. */
    async permissionOf(login) {
      try {
        return await gitHub.permissionOf(login)
      } catch (error) {
        if (isRefused(error, 403) && sender?.login === login) return sender.permission
        throw error
      }
    },

    async tokenIsRevoked() {
      return await octokit.rest.users.getAuthenticated().then(
        () => false,
        (error: unknown) => isRefused(error, 401),
      )
    },

    async withholdsSecretsOn(pull) {
      return (await gitHub.pullRequest({ ...repository, number: pull })).fromFork
    },

    async *listRepositoryComments(since) {
      for await (const page of pagesOf('issues/comments', { since }))
        yield page.flatMap(parseRepositoryComment)
    },

    /** Gitea lists the oldest first and in no other order, so these are the newest ones. */
    async recentComments() {
      const first = await pageOf('issues/comments', 1)
      const last = Math.ceil(first.total / Math.max(first.entries.length, 1))
      const pages = [last - 1, last].filter((page) => page > 1)
      const more = await Promise.all(pages.map((page) => pageOf('issues/comments', page)))
      const read = last > 2 ? more : [first, ...more]
      return read.flatMap(({ entries }) => entries).flatMap(parseRepositoryComment)
    },

    /** Reactions have no ids. */
    async addReaction(comment, content) {
      await gitHub.addReaction(comment, content)
      return 0
    },

    /** Gitea takes back only the token's own reaction. It is no error if there is none. */
    async removeReaction({ id }, content) {
      const route = 'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions'
      await octokit.request(route, { ...repository, comment_id: id, content })
    },

    async readBody(source) {
      // A pull request as an issue takes no permission for the contents.
      const readable = source.kind === 'pull' ? { ...source, kind: 'issue' as const } : source
      const markdown = asString((await readResource(octokit, repository, readable)).body)
      return { markdown, html: markdown === '' ? '' : await forge.renderMarkdown(markdown) }
    },

    /**
     * Through the repository: `POST /markdown` of Gitea 1.26 looks up each commit hash in a repository that it does not
     * have, and the whole server ends with a nil pointer.
     */
    async renderMarkdown(text) {
      const parameters = { ...repository, text, mode: 'comment', context: fullName(repository) }
      const route = 'POST /repos/{owner}/{repo}/markdown'
      return parseRendering((await octokit.request(route, parameters)).data)
    },

    /** Where the token may not read the contents, the issue of the pull request tells its state, but no branches. */
    async pullRequest(pull) {
      try {
        return await gitHub.pullRequest(pull)
      } catch (error) {
        if (!isRefused(error, 403)) throw error
        const { owner, repo, number } = pull
        const { data } = await octokit.rest.issues.get({ owner, repo, issue_number: number })
        const issue: JsonObject = asObject(data)
        if (!isObject(issue.pull_request)) throw error
        return parsePullRequest({ ...issue, ...issue.pull_request })
      }
    },

    async pullRequestFiles(number, most) {
      const files = await gitHub.pullRequestFiles(number, most)
      return files.map((file) => ({ ...file, status: STATUSES.get(file.status) ?? file.status }))
    },

    /** Gitea names one at most: the pull request whose merge made the commit. */
    async pullRequestsOf(sha) {
      const route = 'GET /repos/{owner}/{repo}/commits/{sha}/pull'
      try {
        return [parsePullRequest((await octokit.request(route, { ...repository, sha })).data)]
      } catch (error) {
        // A token that may not read the contents gets 404, too, with another message.
        if (isRefused(error, 404) && /does not exist/.test(error.detail)) return []
        throw error
      }
    },

    async mergedInto(base) {
      return (await forge.closedPullRequests(base, 1)).filter(({ state }) => state === 'merged')
    },

    /** Fifty a page. Forgejo does not know `base_branch`. */
    async closedPullRequests(base, page) {
      const newestFirst = { state: 'closed', base_branch: base, sort: 'recentupdate' }
      const { entries } = await pageOf('pulls', page, newestFirst)
      return entries.map(parsePullRequest).filter((pull) => pull.base === base)
    },

    /** Gitea filters issues by persons only, and the account of jobs is no person. */
    async openIssues(creator) {
      // No account is called like a bot of GitHub.
      if (creator?.endsWith(']') === true) return []
      const issues = await entriesOf('issues', { state: 'open', type: 'issues' })
      return issues.map(parseIssue).filter(({ author }) => creator === undefined || author?.login === creator)
    },

    /** Gitea lists requests among the reviews, and nowhere else. */
    async reviewing({ owner, repo, number }) {
      const reviews = (await entriesOf(`pulls/${number}/reviews`, { owner, repo })).map(parseReview)
      const [people, teams] = [reviews.flatMap((one) => one.people), reviews.flatMap((one) => one.teams)]
      return { people, teams }
    },

    /** Gitea leaves out labels that the repository does not have, without a word. */
    async addLabels(pull, labels) {
      const set = await gitHub.addLabels(pull, labels)
      const missing = labels.filter((label) => !set.includes(label))
      if (missing.length === 0) return set
      const detail = `the repository has no label ${missing.join(', ')}`
      throw new ForgeError({ kind: 'refused', httpStatus: 422, detail, triedMs: 0 })
    },

    /** Gitea has statuses only. */
    checkRuns: none,
    checkSuites: none,
    annotations: none,

    async openedThroughApp() {
      return false
    },

    /** Gitea lists the newest commit first. */
    async lastCommitAuthor(number) {
      const { entries } = await pageOf(`pulls/${number}/commits`, 1)
      return parseAccount(asObject(entries[0]).author)
    },

    async commitStatuses({ owner, repo }, sha) {
      const statuses = await entriesOf(`commits/${encodeURIComponent(sha)}/statuses`, { owner, repo })
      return newestOfEach(statuses.map(parseStatus))
    },

    /** Gitea lists all commits at once, the newest first, and no files. */
    async compare(before, after) {
      const parameters = { ...repository, basehead: `${before}...${after}` }
      const { data } = await octokit.rest.repos.compareCommitsWithBasehead(parameters)
      const comparison = parseComparison(data)
      return { ...comparison, commits: comparison.commits.toReversed() }
    },
  }
  return forge
}

const STATUSES = new Map(Object.entries({ changed: 'modified', deleted: 'removed' }))

const none = async (): Promise<readonly []> => []
