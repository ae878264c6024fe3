import { isRefused } from '../../base/errors.ts'
import { fullName, isInRepository, type RepositoryName } from '../../base/link.ts'
import { codeSpan, count, listedCode } from '../../base/text.ts'
import { WORKFLOW_BOT } from '../../github/account.ts'
import type { GitHub } from '../../github/github.ts'
import { docsPullRequest } from '../../thread/docs-pull-request.ts'
import type { Session } from '../../thread/session.ts'
import type { TokenKind } from '../../words/explain.ts'
import type { SetupResult } from './setup-table.ts'

/** More repositories than this are those of an organization, and which one has the docs is not known. */
const MOST_TRIED = 3

/** Where GitHub does not answer, that of a workflow, whose words hold for the others, too. */
export async function tokenKind(github: GitHub): Promise<TokenKind> {
  const login = await github.writerLogin().catch(() => WORKFLOW_BOT)
  if (login === WORKFLOW_BOT) return 'workflow'
  return login.endsWith('[bot]') ? 'app' : 'person'
}

const WHY_NOT_KNOWN = {
  workflow:
    'The token of the workflow reaches this repository alone. For docs in another one, pass the token of an App that reaches both.',
  app: 'The token reaches this repository alone. For docs in another one, install the App there, and add it to `repositories` in the step that makes the token.',
  person: 'The repository of the docs is known only after the first job.',
  elsewhere:
    'The docs are on another server, so the action sees neither the checks of their pull request nor its end.',
} as const

const HOW_TO_REACH: Readonly<Record<TokenKind, string>> = {
  workflow: 'Pass the token of an App that reaches both repositories.',
  app: 'Install the App there, and add it to `repositories` in the step that makes the token.',
  person: 'Give the token access to it.',
}

interface Wanted {
  /** To the pull request of the last job; '' where none is known. */
  readonly link: string
  readonly withChecks: boolean
  readonly token: TokenKind
}

/**
 * Whether the token reaches the docs where they are in another repository: that of the last job, else those that the token of an
 * App reaches. @returns undefined where they are in this one @throws {GitHubError} where it cannot be known now
 */
export async function tryDocs(session: Session, wanted: Wanted): Promise<SetupResult | undefined> {
  const { github } = session
  const { link, token } = wanted
  if (link !== '') {
    const pull = await docsPullRequest(session, link)
    if (pull === undefined) return { why: WHY_NOT_KNOWN.elsewhere }
    if (pull.isHere) return undefined
    const headOf = async () => (await github.pullRequest(pull)).headSha
    return await tryEach(session, [{ ...pull, headOf }], wanted)
  }
  if (token !== 'app') return { why: WHY_NOT_KNOWN[token] }
  const reached = await github.reachedRepositories()
  const others = reached.filter((one) => !isInRepository(github.repository, one))
  if (others.length === 0) return { why: WHY_NOT_KNOWN.app }
  const howMany = count(others.length, 'other repository', 'other repositories')
  if (others.length > MOST_TRIED)
    return { why: `The token reaches ${howMany}. Which one has the docs is known only after the first job.` }
  const tried = others.map((one) => ({ ...one, headOf: async () => one.defaultBranch }))
  return await tryEach(session, tried, wanted)
}

interface Tried extends RepositoryName {
  /** A SHA or a branch, of which the checks are read. */
  readonly headOf: () => Promise<string>
}

async function tryEach(
  { github }: Session,
  repositories: readonly Tried[],
  { withChecks, token }: Wanted,
): Promise<SetupResult> {
  for (const one of repositories) {
    const name = codeSpan(fullName(one), 100)
    try {
      const [head] = await Promise.all([one.headOf(), github.tryPullRequests(one)])
      if (withChecks) await Promise.all([github.checkRuns(one, head), github.commitStatuses(one, head)])
    } catch (error) {
      if (isRefused(error, 404)) return { fault: `The token does not reach ${name}. ${HOW_TO_REACH[token]}` }
      return {
        error,
        doing: withChecks ? `read pull requests and checks of ${name}` : `read pull requests of ${name}`,
      }
    }
  }
  return { works: listedCode(repositories.map(fullName)) }
}
