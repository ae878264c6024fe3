import type { GitHubError } from '../base/errors.ts'

interface Cause {
  /** Any refusal where it is missing. */
  readonly status?: readonly number[]
  /** What GitHub says, by whole phrases. */
  readonly says?: RegExp
  /** Method and path of the calls that can have this cause. */
  readonly calls?: RegExp
  /** `{add}` stands for the line to add. */
  readonly remedy: string
}

const WRITES = /^(?!GET )/
const COMMENTS = /^(POST|PATCH|DELETE) .*\/(comments|reactions)(\/|$)/
const TALK = /^(POST|PATCH) .*\/(comments|reactions|issues)(\/|$)/
const ISSUES = /\/issues(\/|\?|$)/
const STATUSES = /^POST .*\/statuses\//

/**
 * From what GitHub says to what can be done; the first that applies counts. A 403 has many causes, and a missing permission
 * is only the one that names nothing else.
 */
const GITHUB_CAUSES: readonly Cause[] = [
  {
    says: /^\s*</,
    remedy: 'A proxy or a firewall may answer in the place of GitHub: check the network of the runner.',
  },
  { status: [401], remedy: 'Pass a valid `github-token`.' },
  {
    ...{ status: [403], says: /\bIP allow ?list\b|\bIP address is not permitted\b/i },
    remedy:
      "The organization's IP allow list leaves this runner out, and GitHub-hosted runners have no fixed address: use a runner whose address is on the list.",
  },
  {
    ...{ status: [403], says: /\bSAML\b|\bsingle sign-on\b|\bSSO\b/i },
    remedy:
      'Authorize the token in `github-token` for the single sign-on of the organization, or use the token of the workflow.',
  },
  {
    ...{
      status: [403],
      says: /\bforbids access via\b|\btoken's lifetime\b|\bOAuth App access restrictions\b/i,
    },
    remedy:
      'The organization does not take this kind of token: pass the token of a GitHub App as `github-token`.',
  },
  {
    ...{ status: [403, 410, 422, 423], says: /\brepository (is|was|has been) locked for migration\b/i },
    remedy:
      'The repository is being moved, and takes no changes until that has ended: re-run the workflow then, or ask an owner of the organization to unlock it.',
  },
  {
    ...{ status: [403, 410], says: /\b(is|was|been) archived\b/i, calls: WRITES },
    remedy: 'Unarchive the repository, or disable this workflow.',
  },
  {
    ...{ status: [403, 422], says: /\bmore than [\d,]+ comments\b|\bcommenting is disabled\b/i, calls: TALK },
    remedy:
      'GitHub takes no more comments in this thread: go on in a new issue or pull request, and close an issue of `issue-title`, for which the next run opens a new one.',
  },
  {
    ...{
      status: [403, 410, 422, 423],
      says: /\b(issue|conversation|thread|discussion|pull request) (is|was|has been) locked\b|\blocked (issue|conversation|thread)\b/i,
    },
    ...{
      calls: COMMENTS,
      remedy:
        'Unlock the thread to let the action comment there, or close an issue of `issue-title`, for which the next run opens a new one.',
    },
  },
  {
    ...{
      status: [403, 422],
      says: /\binteraction limits?\b|\blimited the ability to comment\b/i,
      calls: TALK,
    },
    remedy:
      'The repository limits who may comment: lift that under Settings → Moderation, or wait for its end.',
  },
  {
    ...{
      status: [403, 422],
      says: /\buser is blocked\b|\bblocked (by|from) (the|this|a) (owner|repository|organi[sz]ation|author)\b/i,
    },
    ...{ calls: TALK },
    remedy:
      'The owner or the author has blocked the account of `github-token`: unblock it, or pass another token.',
  },
  {
    ...{
      status: [403, 451],
      says: /\b(is|was|been|access) (suspended|blocked|flagged)\b|\bDMCA\b|\baccess (to \w+ \w+ )?(is|has been) disabled\b|\bdisabled (by|for)\b|\b(repository|account) (has been|is) disabled\b/i,
    },
    remedy: 'GitHub or an owner has blocked the repository or the account: ask the owner, or GitHub.',
  },
  {
    ...{ status: [403, 422], says: /\bupgrade to github\b|\bupgrade your plan\b/i },
    remedy: "The owner's plan on GitHub does not include this: change the plan, or leave the input out.",
  },
  {
    ...{ status: [410], says: /\bdisabled\b/i, calls: ISSUES },
    remedy: 'Turn on issues in the settings of the repository, or use another input than `issue-title`.',
  },
  {
    ...{ status: [422], says: /\bmaximum number of statuses\b/i, calls: STATUSES },
    remedy: 'GitHub takes no more statuses for this commit: push a new one.',
  },
  {
    ...{ status: [422], says: /\bno commit found\b/i, calls: STATUSES },
    remedy: 'The commit is no longer in the repository, as after a force push: the next push gets a status.',
  },
  {
    ...{
      status: [403],
      says: /\bnot accessible by\b|\bresource not accessible\b|\bmust have \w+( \w+)? (rights|access|permission)/i,
    },
    remedy: '{add}',
  },
  {
    ...{ status: [403], says: /\S/ },
    remedy: "{add} If that is there already, look for the cause in GitHub's own words.",
  },
  { status: [403], remedy: '{add}' },
  { status: [404], remedy: 'Check that it exists. {add}' },
]

/** @param add the line to add, a sentence */
export function remedyFor(
  { httpStatus, detail, call = '' }: Pick<GitHubError, 'httpStatus' | 'detail' | 'call'>,
  add: string,
): string {
  const cause = GITHUB_CAUSES.find(
    ({ status, says, calls }) =>
      (status?.includes(httpStatus) ?? true) &&
      (says?.test(detail) ?? true) &&
      (call === '' || (calls?.test(call) ?? true)),
  )
  return (cause?.remedy ?? '').replace('{add}', add)
}

const THROTTLES =
  /\brate[ -]limit(s|ed|ing)?\b|\babuse (detection|rate)\b|\btemporarily blocked from (creating |calling )?\w+|\b(submitted|created|posted) too (quickly|fast)\b|\bthrottled\b|\btoo many requests\b|\bretry your request again later\b/i

/** Whether GitHub limits the rate, which passes, in words alone: its secondary limits have no status of their own, and often no header. */
export const isThrottle = (status: number, detail: string): boolean =>
  status >= 400 && status < 500 && status !== 401 && status !== 404 && THROTTLES.test(detail)

/** Of changes that GitHub finds too large, whatever the status: https://github.com/googleapis/repo-automation-bots/issues/4475 */
const TOO_LARGE = /\bdiff is taking too long\b|\btoo many files changed\b/i

/** Whether GitHub may never list the changes: asked again, it says the same. */
export const isUnlistable = ({ detail }: Pick<GitHubError, 'detail'>): boolean => TOO_LARGE.test(detail)
