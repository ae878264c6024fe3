import type { Deps } from '../deps.ts'
import { messageOf } from '../errors.ts'
import type { Forge, Issue } from '../github/forge.ts'
import type { FailureWarnings, SideTask } from '../github/warn-on-failure.ts'
import { trackingBody, withLastRefresh } from '../messages/comments.ts'
import { statusOf } from '../messages/errors.ts'
import type { Report } from '../messages/report.ts'
import {
  type RepositoryScope,
  type RequestIdentity,
  type SigningContext,
  signRecord,
  verifyRecord,
  withoutRecord,
} from '../request/record.ts'
import type { RequestRun } from './request-run.ts'

/** `unknown`: GitHub did not answer, so there may be an issue that remembers an earlier attempt. */
export type TrackingIssue = number | 'none' | 'unknown'

/** The account behind the token of a workflow, which cannot ask for its own name. */
const WORKFLOW_BOT = 'github-actions[bot]'

/**
 * A record is bound to its thread, and the number of an issue is only known once it is there. A new issue carries a
 * record of thread 0, which counts only where the action's own account, or a bot, opened the issue: so the issue is
 * complete at once, and a kill or a lost answer leaves none that the next run would not find.
 */
const NOT_YET_NUMBERED = 0

/** Finds the open tracking issue of this title, or creates it, once (contract 3.9). A dry run creates none. */
export async function findTrackingIssue(run: RequestRun, title: string): Promise<TrackingIssue> {
  const { forge, warnings, setup } = run
  let failure: unknown
  const found = await warnings.warnOnFailure(findTask(title), async () => {
    try {
      const tracking = new TrackingIssues(forge, scopeOf(run), title)
      const [existing, ...others] = await tracking.find()
      if (existing !== undefined) return { issue: existing, others }
      if (setup.inputs.dryRun) return { issue: undefined, others: [] }
      return await tracking.create(newBody(run))
    } catch (error) {
      failure = error
      throw error
    }
  })
  if (found === undefined) return isRefusal(failure) ? 'none' : 'unknown'
  // Two runs that started together created one each.
  await Promise.all(
    found.others.map(({ number }) => warnings.warnOnFailure(CLOSE_TASK, () => forge.closeIssue(number))),
  )
  return found.issue?.number ?? 'none'
}

const findTask = (title: string): SideTask => ({
  doing: `find or create the issue “${title}”`,
  permission: 'issues: write',
  consequence: 'The run has no thread, so its result is in the log, the summary and the outputs only.',
})
const CLOSE_TASK: SideTask = {
  doing: 'close a second tracking issue',
  permission: 'issues: write',
  consequence: '',
}

/** The token may not do it, now or later. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error)
  const isLimit = /rate limit|abuse/i.test(messageOf(error))
  return [401, 403, 404, 410, 422].includes(status) && !isLimit
}

function scopeOf({ setup, forge }: RequestRun): RepositoryScope {
  const { apiKey, projectId } = setup.inputs.access
  return { apiKey, projectId, repositoryId: forge.repositoryId }
}

function newBody(run: RequestRun): string {
  const signing = { ...scopeOf(run), thread: NOT_YET_NUMBERED }
  return signedBody(trackingBody(run.identity.command), run.identity, run.deps.now(), signing)
}

function signedBody(text: string, identity: RequestIdentity, now: number, signing: SigningContext): string {
  // The numbers of a refresh belong to its comment.
  const record = { ...identity, merged: [], state: 'tracking', eyes: 0, writtenAt: now } as const
  return `${text}\n\n${signRecord(record, signing)}`
}

/** The open issues of a title that the action created. */
class TrackingIssues {
  readonly #forge: Forge
  readonly #scope: RepositoryScope
  readonly #title: string
  #own: string | undefined

  constructor(forge: Forge, scope: RepositoryScope, title: string) {
    this.#forge = forge
    this.#scope = scope
    this.#title = title
  }

  /** The one that counts comes first: the lowest number. */
  async find(): Promise<readonly Issue[]> {
    const [own, found] = await Promise.all([this.#forge.ownLogin(), this.#openedBy(WORKFLOW_BOT)])
    this.#own = own
    if (found.length > 0) return found
    // An app's token does not tell its account, so every open issue counts.
    return await this.#openedBy(own)
  }

  /** @returns the issue that counts, which another run may have created meanwhile, and the others */
  async create(body: string): Promise<{ readonly issue: Issue; readonly others: readonly Issue[] }> {
    const created = await this.#forge.createIssue(this.#title, body)
    const listed = await this.#openedBy(created.author?.login).catch(() => [])
    const all = new Map([created, ...listed].map((issue) => [issue.number, issue]))
    const [issue = created, ...others] = byNumber([...all.values()])
    return { issue, others }
  }

  async #openedBy(creator: string | undefined): Promise<readonly Issue[]> {
    const open = await this.#forge.openIssues(creator).catch((error: unknown) => {
      // A server that does not know the account.
      if (statusOf(error) === 422) return []
      throw error
    })
    return byNumber(open.filter((issue) => this.#isTracking(issue)))
  }

  #isTracking({ title, body, number, author, isPullRequest }: Issue): boolean {
    if (isPullRequest || title !== this.#title) return false
    const isOwn = author?.bot === true || (author !== undefined && author.login === this.#own)
    const threads = isOwn ? [number, NOT_YET_NUMBERED] : [number]
    return threads.some((thread) => isTrackingBody(body, { ...this.#scope, thread }))
  }
}

const byNumber = (issues: readonly Issue[]): Issue[] => issues.toSorted((a, b) => a.number - b.number)

const isTrackingBody = (body: string, signing: SigningContext): boolean =>
  verifyRecord(body, signing)?.state === 'tracking'

const UPDATE_TASK: SideTask = {
  doing: 'update the tracking issue',
  permission: 'issues: write',
  consequence: '',
}

/** A request with its thread. */
interface Refreshed {
  readonly identity: RequestIdentity
  readonly signing: SigningContext | undefined
  readonly forge: Forge
  readonly warnings: FailureWarnings
  readonly deps: Pick<Deps, 'now'>
}

/** Shows the refresh in the body of its tracking issue, read again because people may have edited it meanwhile. */
export async function updateTrackingIssue(target: Refreshed, report: Report): Promise<void> {
  const { identity, signing, forge, warnings, deps } = target
  if (signing === undefined || identity.tracking !== true) return
  await warnings.warnOnFailure(UPDATE_TASK, async () => {
    const { body } = await forge.issue(signing.thread)
    const signed = [signing.thread, NOT_YET_NUMBERED].some((thread) =>
      isTrackingBody(body, { ...signing, thread }),
    )
    if (!signed) return
    const text = withLastRefresh(withoutRecord(body), report, deps.now())
    await forge.updateIssue(signing.thread, signedBody(text, identity, deps.now(), signing))
  })
}
