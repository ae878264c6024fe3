import { MOST_AUTHORS, MOST_MERGED, type RequestIdentity } from '../../core/record.ts'

/** What the input `reviewers` means for one request. */
export interface Reviewers {
  readonly people: readonly string[]
  /** Slugs of teams of the pull request's owner. */
  readonly teams: readonly string[]
  readonly lacksRequester: boolean
  /** As the input names them: teams of another organization cannot review here. */
  readonly foreignTeams: readonly string[]
}

const REQUESTER = 'requester'
/** Who wrote the code that the request is for. */
export const AUTHORS = 'authors'

/**
 * Without the authors, which the record knows.
 * @param asked logins, `owner/team` for teams, `requester` for the person who asked, and `authors`
 * @param requestedBy a login; '' for no person @param owner of the pull request's repository
 */
export function resolveReviewers(asked: readonly string[], requestedBy: string, owner: string): Reviewers {
  const names = new Set(
    asked.flatMap((name) => (name === AUTHORS ? [] : name === REQUESTER ? requestedBy : name)),
  )
  const lacksRequester = asked.includes(REQUESTER) && requestedBy === ''
  names.delete('')
  const teams = [...names].filter((name) => name.includes('/'))
  const isOfOwner = (team: string) => team.toLowerCase().startsWith(`${owner.toLowerCase()}/`)
  return {
    people: [...names].filter((name) => !name.includes('/')),
    teams: teams.filter(isOfOwner).map((team) => team.slice(team.indexOf('/') + 1)),
    lacksRequester,
    foreignTeams: teams.filter((team) => !isOfOwner(team)),
  }
}

interface Authored {
  readonly author: { readonly login: string; readonly bot: boolean } | undefined
}

/**
 * What the record remembers of those who wrote the code that the request is for, as far as `reviewers` asks for them.
 * @param pulls the newest merge first
 */
export function withAuthors(
  { reviewers }: Pick<RequestIdentity['settings'], 'reviewers'>,
  pulls: readonly Authored[],
): Pick<RequestIdentity, 'authors'> | undefined {
  if (!reviewers.includes(AUTHORS)) return undefined
  const people = pulls.flatMap(({ author }) => (author === undefined || author.bot ? [] : author.login))
  // One of them may turn out to be the author of the docs.
  return { authors: [...new Set(people)].slice(0, MOST_AUTHORS + 1) }
}

/** What the record remembers of the pull requests that a request is for. @param pulls in the order of their merges */
export const forMerges = (
  settings: Pick<RequestIdentity['settings'], 'reviewers'>,
  pulls: readonly (Authored & { readonly number: number })[],
): Partial<RequestIdentity> => ({
  merged: pulls.map(({ number }) => number).slice(-MOST_MERGED),
  ...withAuthors(settings, pulls.toReversed()),
})

/** In lower case, because GitHub ignores the case of logins, slugs and labels. */
export const namesIn = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.filter(Boolean).map((name) => name.toLowerCase()))

/** The person who asked, or without one the reviewers, teams as `owner/team`. */
export function subscribersOf(asked: readonly string[], requestedBy: string): readonly string[] {
  const known = asked.filter((name) => name !== REQUESTER && name !== AUTHORS)
  const names = requestedBy === '' ? known : [requestedBy]
  // What can be mentioned, and nothing that could mean more to Markdown: an app cannot be notified.
  return [...new Set(names)].filter((name) => /^([\w.-]+\/)?[\w.-]+$/.test(name))
}
