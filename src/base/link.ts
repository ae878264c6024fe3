export interface RepositoryName {
  readonly owner: string
  readonly repo: string
}

export const fullName = ({ owner, repo }: RepositoryName): string => `${owner}/${repo}`

/** Characters of the link to a pull request. No more have room in a record, in which no link means that there is none. */
export const LONGEST_LINK = 300

/**
 * As the URL parser writes it, if people can be sent there: `https:`, printable ASCII that JSON escapes nothing of, no
 * credentials. Undefined for everything else. @param most characters
 */
export function usableLink(link: string, most = 2000): string | undefined {
  if (link.length > most || !/^[\x21-\x7e]+$/.test(link) || !URL.canParse(link)) return undefined
  const url = new URL(link)
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined
  return url.href.length <= most && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(url.href) ? url.href : undefined
}

/** Also of a URL that lacks its scheme. */
export const withoutCredentials = (url: string): string =>
  url.replace(/^(?:([a-z][a-z\d+.-]*:\/\/)[^/?#]*@|[^/?#@:]*:[^/?#]*@)/i, '$1')

/** A pull request on the server that the workflow runs on. */
export interface PullRequestRef extends RepositoryName {
  readonly number: number
}

const PULL_PATH = /^\/([\w.-]+)\/([\w.-]+)\/pull\/([1-9]\d{0,9})(?:\/(?:files|commits|checks))?\/?$/

/** Undefined for a link to another host or another kind of page. */
export function pullRequestOf(link: string, serverUrl: string): PullRequestRef | undefined {
  if (!URL.canParse(link) || !URL.canParse(serverUrl)) return undefined
  const url = new URL(link)
  const [, owner, repo, number] = PULL_PATH.exec(url.pathname) ?? []
  if (url.host !== new URL(serverUrl).host || owner === undefined || repo === undefined) return undefined
  return { owner, repo, number: Number(number) }
}

/** Whatever the letter case. */
export const isInRepository = (repository: RepositoryName, { owner, repo }: RepositoryName): boolean =>
  `${owner}/${repo}`.toLowerCase() === `${repository.owner}/${repository.repo}`.toLowerCase()

/** On this GitHub, whatever their letter case, page or query. */
export function samePullRequest(a: string, b: string, serverUrl: string): boolean {
  const [left, right] = [a, b].map((link) => pullRequestOf(link, serverUrl))
  if (left === undefined || right === undefined) return false
  return left.number === right.number && isInRepository(left, right)
}

/** `octo/docs#77` for pull requests on github.com, `host/octo/docs#77` elsewhere; else the host and path. */
export function linkName(link: string): string {
  const { host, pathname } = new URL(link)
  const [, path, number] =
    /^\/(.+?)\/(?:-\/)?(?:pulls?|pull-requests|merge_requests)\/(\d+)\/?$/.exec(pathname) ?? []
  if (path === undefined) return host + pathname
  return `${host === 'github.com' ? '' : `${host}/`}${path}#${number}`
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export const isLoopback = (url: string): boolean => LOOPBACK.test(new URL(url).hostname)
