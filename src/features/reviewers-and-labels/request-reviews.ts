import { GitHubError, isRefused, unlessRefused } from '../../base/errors.ts'
import type { PullRequestRef } from '../../base/link.ts'
import { plainText } from '../../base/text.ts'
import { AUTHORS, REQUESTER } from '../../inputs/readers.ts'
import { MOST_AUTHORS, type RequestIdentity } from '../../record/record.ts'
import type { Session } from '../../thread/session.ts'
import { missingReviewers, WARNINGS } from '../../words/notes.ts'

/** Logins, and slugs of teams. */
interface ToAsk {
  /** As the input names them, with the person who asked. */
  readonly people: readonly string[]
  readonly authors: readonly string[]
  readonly teams: readonly string[]
}

/** @returns whether it is done, or GitHub refuses it */
export async function requestReviews(
  session: Session,
  pull: PullRequestRef,
  { settings, requestedBy, authors: authorsOfCode }: RequestIdentity,
  isAgain: boolean,
): Promise<boolean> {
  const { deps, warnings, github } = session
  const resolved = resolveReviewers(settings.reviewers, requestedBy, pull.owner)
  const missing = missingReviewers(resolved, pull.owner)
  if (missing !== '') deps.core.warning(plainText(missing))
  // Who has been asked, or has answered, is not asked again.
  return await warnings.doneOrRefused(['reviewers', pull], async () => {
    const authors = authorsOfCode.length === 0 ? [] : await othersThanAuthor(session, pull, authorsOfCode)
    if (settings.reviewers.includes(AUTHORS) && authors.length === 0) deps.core.warning(WARNINGS.noAuthors)
    const all = { ...resolved, authors }
    const toAsk = isAgain ? await notAskedYet(session, pull, all) : all
    await requestOnce(github, pull, toAsk, settings.reviewers)
  })
}

/** Without those that an earlier run of the request asked: GitHub asks anew where a review is given already. */
async function notAskedYet({ github }: Session, pull: PullRequestRef, all: ToAsk): Promise<ToAsk> {
  const reviewing = await github.reviewing(pull)
  const [people, teams] = [namesIn(reviewing.people), namesIn(reviewing.teams)]
  const isNew = (login: string): boolean => !people.has(login.toLowerCase())
  return {
    people: all.people.filter(isNew),
    authors: all.authors.filter(isNew),
    teams: all.teams.filter((slug) => !teams.has(slug.toLowerCase())),
  }
}

/** GitHub refuses a whole list for one name: each is then asked alone, which finds the name. @param input what `reviewers` names */
async function requestOnce(
  github: Session['github'],
  pull: PullRequestRef,
  { people, authors, teams }: ToAsk,
  input: readonly string[],
): Promise<void> {
  const everyone = [...new Set([...people, ...authors])]
  if (everyone.length + teams.length === 0) return
  try {
    return await github.requestReviews(pull, everyone, teams)
  } catch (error) {
    if (!isRefused(error, 422)) throw error
  }
  const alone = [
    ...everyone.map((name) => ({ name, isTeam: false })),
    ...teams.map((name) => ({ name, isTeam: true })),
  ]
  const refused: { readonly name: string; readonly error: GitHubError; readonly isNews: boolean }[] = []
  for (const { name, isTeam } of alone) {
    try {
      await github.requestReviews(pull, isTeam ? [] : [name], isTeam ? [name] : [])
    } catch (error) {
      if (!isRefused(error, 422)) throw error
      // The author of a pull request cannot review it, so no warning says so. Who wrote the code may be no collaborator.
      const isAuthor = /\bauthor\b/i.test(error.detail)
      const isNamed = isTeam || people.includes(name) || input.includes(name)
      if (!isAuthor) refused.push({ name, error, isNews: isNamed })
    }
  }
  const news = refused.length === alone.length ? refused : refused.filter(({ isNews }) => isNews)
  const [first] = news
  if (first === undefined) return
  const detail = `${news.map(({ name }) => name).join(', ')}: ${first.error.detail}`
  throw new GitHubError({ ...first.error, detail }, { cause: first.error })
}

/** Without the author of the docs' pull request, who cannot review it, as far as that can be read. */
async function othersThanAuthor(
  { github }: Session,
  pull: PullRequestRef,
  logins: readonly string[],
): Promise<readonly string[]> {
  const docs = await unlessRefused(github.pullRequest(pull), undefined)
  return logins.filter((login) => login !== docs?.author?.login).slice(0, MOST_AUTHORS)
}

/** What the input `reviewers` means for one request. */
interface Reviewers {
  readonly people: readonly string[]
  /** Slugs of teams of the pull request's owner. */
  readonly teams: readonly string[]
  readonly lacksRequester: boolean
  /** As the input names them: teams of another organization cannot review here. */
  readonly foreignTeams: readonly string[]
}

/**
 * Without the authors, which the record knows.
 * @param asked logins, `owner/team` for teams, `requester` for the person who asked, and `authors`
 * @param requestedBy a login; '' for no person @param owner of the pull request's repository
 */
function resolveReviewers(asked: readonly string[], requestedBy: string, owner: string): Reviewers {
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

/** In lower case, because GitHub ignores the case of logins, slugs and labels. */
const namesIn = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.filter(Boolean).map((name) => name.toLowerCase()))
