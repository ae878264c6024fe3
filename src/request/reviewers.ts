/** What the input `reviewers` means for one request (contract 4.11). */
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
/** Of those, asked for one review. */
export const MOST_AUTHORS = 5

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

/** The person who asked, or without one the reviewers, teams as `owner/team`. */
export function subscribersOf(asked: readonly string[], requestedBy: string): readonly string[] {
  const known = asked.filter((name) => name !== REQUESTER && name !== AUTHORS)
  const names = requestedBy === '' ? known : [requestedBy]
  // What can be mentioned, and nothing that could mean more to Markdown: an app cannot be notified.
  return [...new Set(names)].filter((name) => /^([\w.-]+\/)?[\w.-]+$/.test(name))
}
