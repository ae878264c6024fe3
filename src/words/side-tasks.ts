import type { Core } from '../base/deps.ts'
import { isRefused } from '../base/errors.ts'
import { fullName, isInRepository, type PullRequestRef, type RepositoryName } from '../base/link.ts'
import { codeSpan, count, grouped, joined, listed, plainText } from '../base/text.ts'
import type { CommentOmission } from '../event/command.ts'
import { explainGitHub } from './explain.ts'
import { describeMissingChanges, type MissingChanges } from './missing-changes.ts'
import { describeUncounted, type UncountedMerges } from './uncounted-merges.ts'

const ISSUES = 'issues: write'
const PULLS = 'pull-requests: read'
const WRITE_PULLS = 'pull-requests: write'

/**
 * What the action does on GitHub and what never decides the outcome: what completes "Could not …", and
 * the workflow permissions that it takes, by `, `; '' where none gives it.
 */
export const SIDE_TASKS = {
  thread: ['read the comments of', ISSUES],
  comment: ['write the', ISSUES],
  replaced: ['delete the comment that a newer one replaced', ISSUES],
  outdated: ['hide the comments about earlier pushes', WRITE_PULLS],
  'issue-title': ['find or create the issue', ISSUES],
  'issue-reaction': ['react to the comment', ISSUES],
  'review-reaction': ['react to the comment', WRITE_PULLS],
  'commit-status': ['set the commit status', 'statuses: write'],
  head: ['read the head of the pull request for the commit status', PULLS],
  end: ['comment on the pull request of the docs that the code is merged or closed', WRITE_PULLS],
  link: ['comment on the pull request', WRITE_PULLS],
  reviewers: ['set `reviewers` on', WRITE_PULLS],
  labels: ['set `labels` on', WRITE_PULLS],
  merged: ['look up the pull requests that the push merged', PULLS],
  comparison: ['compare the push', 'contents: read'],
  stack: ['look whether the branch of its stack holds the merge of', 'contents: read'],
  'changes-since': ['list the merged pull requests', PULLS],
  review: ['read the line comments of the review', PULLS],
  files: ['read the changed files', PULLS],
  'issue-text': ['read the rendered text', 'issues: read'],
  'pull-text': ['read the rendered text', PULLS],
  'release-text': ['read the rendered text', 'contents: read'],
  markdown: ['render a text', ''],
  checks: ['read the checks of', `${PULLS}, checks: read, statuses: read`],
  annotations: ['read the annotations of a check', 'checks: read'],
  workflows: ['tell the workflows of checks apart in', 'actions: read'],
  'job-log': ['read the log of a failing job', 'actions: read'],
} as const satisfies Readonly<Record<string, readonly [doing: string, permission: string]>>

type TaskName = keyof typeof SIDE_TASKS
/** `about` follows what was to be done: a pull request, the number of a thread, or a text. */
export type SideTask = TaskName | readonly [task: TaskName, about: PullRequestRef | number | string]

/** What is true of the thread at the end of a step in which GitHub did not do all. */
export const THREAD_NOW = {
  none: 'No thread shows the result: it is in the log, the summary and the outputs only.',
  unknown: 'The run does not know what this thread remembers.',
  forgets:
    "The thread does not remember this request, so the next command does not go on from it. If the agent has it, don't re-run the workflow: that sends it again.",
  showsEarlier:
    'The thread still shows an earlier state of this request. If the post step of this run does not correct that, a re-run or `collect` does.',
  isOpen: 'If the post step of this run does not do the rest, a re-run or `collect` does.',
} as const

/** So many tasks and causes are named; the debug log has all. */
const MOST = 4

export type FailureWarnings = ReturnType<typeof failureWarnings>

/** Keeps what failed for the step's one warning; the rest goes to the debug log. @param own repository of the workflow */
export function failureWarnings(core: Pick<Core, 'warning' | 'debug'>, own: RepositoryName) {
  let failed: { readonly doing: string; readonly permission: string; readonly error: unknown }[] = []
  const omissions: Omission[] = []

  function add(task: SideTask, error: unknown): undefined {
    const [name, about] = typeof task === 'string' ? [task, ''] : task
    const [what, needed] = SIDE_TASKS[name]
    const isPull = typeof about === 'object'
    const isElsewhere = isPull && !isInRepository(own, about)
    const whole = isPull
      ? `${fullName(about)}#${about.number}`
      : typeof about === 'number'
        ? `#${about}`
        : about
    const doing = joined(' ', what, whole, isElsewhere ? 'in another repository' : '')
    // The token of a workflow can write in its own repository only, so no line helps elsewhere.
    const permission = isElsewhere && needed.endsWith('write') ? '' : needed
    failed.push({ doing, permission, error })
    core.debug(plainText(explainGitHub(error, doing, permission)))
  }

  return {
    add,

    /** @returns the result, or undefined where GitHub refused or did not answer */
    async warnOnFailure<T>(task: SideTask, act: () => Promise<T>): Promise<T | undefined> {
      return await act().catch((error: unknown) => add(task, error))
    },

    /** The same where the run cannot go on without an answer. @throws {GitHubError} where GitHub did not answer */
    async warnIfRefused<T>(task: SideTask, act: () => Promise<T>): Promise<T | undefined> {
      return await act().catch((error: unknown) => {
        if (isRefused(error)) return add(task, error)
        throw error
      })
    },

    /** @returns whether it is done, or never will be: what GitHub does not answer stays open */
    async doneOrRefused(task: SideTask, act: () => Promise<unknown>): Promise<boolean> {
      return await act().then(
        () => true,
        (error: unknown) => {
          add(task, error)
          return isRefused(error)
        },
      )
    },

    /** Notes what the agent does not get: for the warning, and for the comment of the request. */
    omit(...what: readonly Omission[]): void {
      omissions.push(...what)
    },

    /** What the agent did not get, in words; '' for nothing. */
    get omitted(): string {
      return omissionSentences(omissions)
    },

    /**
     * Gives the step's one warning, where something failed: for each cause what could not be done, why, and which lines to
     * add, because what refuses one comment refuses the others, too.
     * @param now what is true of the thread by then, one of `THREAD_NOW`; '' for nothing to say
     */
    flush(now = ''): string {
      // Each run with such merges has them, in answer and log: they are no fault.
      const left = omissionSentences(omissions.filter(({ kind }) => kind !== 'merges'))
      if (failed.length === 0 && left === '') return ''
      const byCause = Map.groupBy(failed, ({ error }) => explainGitHub(error, '', ''))
      const thread = failed.length === 0 ? '' : now
      failed = []
      const sentences = [...byCause.values()].slice(0, MOST).map((group) => {
        const names = [...new Set(group.map(({ doing }) => doing))]
        const more = names.length > MOST ? [`${names.length - MOST} more`] : []
        const needed = new Set(group.flatMap(({ permission }) => permission.split(', ')))
        const isImplied = (one: string) => one.endsWith(': read') && needed.has(one.replace(/read$/, 'write'))
        const permission = joined(', ', ...[...needed].filter((one) => !isImplied(one)))
        return explainGitHub(group[0]?.error, listed([...names.slice(0, MOST), ...more]), permission)
      })
      const warning = joined(' ', left, ...sentences, thread)
      core.warning(plainText(warning))
      return warning
    },
  }
}

/** What the agent did not get, although it was part of the request or of what the request is about. */
export type Omission =
  | CommentOmission
  | { readonly kind: 'file'; readonly path: string; readonly most: number }
  /** `of`: such as `issue`. */
  | { readonly kind: 'edited-text'; readonly of: string }
  | { readonly kind: 'context' | 'beside-request'; readonly most: number }
  | {
      readonly kind: 'changes'
      readonly missing: MissingChanges
      readonly most: number
      /** The next command of the thread may send more lines. */
      readonly goesOn?: boolean
    }
  | { readonly kind: 'rest-of-changes'; readonly lines: number; readonly most: number }
  /** `what`: a list, with the reasons. */
  | { readonly kind: 'conversation'; readonly what: string }
  /** How many commands stand on lines of a review in which another one counts. */
  | { readonly kind: 'line-commands'; readonly count: number }
  | { readonly kind: 'moved' | 'long-push' }
  /** In all that goes to the agent. */
  | { readonly kind: 'pictures'; readonly count: number }
  /** As the workflow asks for. */
  | { readonly kind: 'merges'; readonly uncounted: UncountedMerges }
  | { readonly kind: 'closed-issue'; readonly number: number }

/** What, why, and what to do: inline Markdown, '' for nothing. */
const omissionSentences = (omissions: readonly Omission[]): string =>
  joined(' ', ...new Set(omissions.map(sentenceOf)))

function sentenceOf(one: Omission): string {
  switch (one.kind) {
    case 'below-mail':
      return `${one.isMail ? 'The comment came by mail' : 'GitHub did not say whether the comment came by mail'}: its first paragraph is the request, and the docs agent got the rest as reference material. If the rest asks for something, write it as a new request on the page.`
    case 'text-below':
      return 'The rest of the comment was left out: write it as a new request.'
    case 'second-command':
      return 'Only the first command of the comment counted: write each other one as a comment of its own.'
    case 'turned-lines':
      return 'The docs agent did not get lines with characters that turn the direction of text: write them without these, as a new request.'
    case 'line-commands':
      return `${count(one.count, 'command')} on lines of the review did not count: write ${one.count === 1 ? 'it' : 'each'} as a comment of its own.`
    case 'file':
      return `The docs agent did not get the end of ${codeSpan(one.path, 100)}: reference files have room for ${grouped(one.most)} characters in all. Pass less, or split the request.`
    case 'edited-text':
      return `The docs agent did not get the text of the ${one.of}: it was edited after the event. Ask again to send it.`
    case 'context':
      return `The docs agent did not get all texts and patches: they have room for ${grouped(one.most)} characters. Write what matters of the rest in a new request.`
    case 'changes':
      return describeMissingChanges(one.missing, one.most, one.goesOn)
    case 'rest-of-changes':
      return `The docs agent still did not get ${count(one.lines, 'changed line')}: what an earlier request left out has room for ${grouped(one.most)} characters. Write what matters of the rest in a new request.`
    case 'beside-request':
      return `The docs agent did not get all that goes with the request: a prompt has room for ${grouped(one.most)} characters. Shorten or split the request.`
    case 'closed-issue':
      return `The docs agent may lack earlier pull requests: what the closed issue #${one.number} remembers does not verify, so \`last-run\` goes back seven days. Name them in a new request.`
    case 'conversation':
      return `The docs agent did not get all of the conversation. Left out: ${one.what}.`
    case 'moved':
      return 'The docs agent did not get files and patches: the pull request has newer commits. Ask again to send them.'
    case 'pictures':
      return `The docs agent gets no pictures: of ${count(one.count, 'picture')}, at most labels or an address went. Say in words what matters in ${one.count === 1 ? 'it' : 'them'}.`
    case 'merges':
      return describeUncounted(one.uncounted)
    case 'long-push':
      return 'The docs agent may lack earlier pull requests: GitHub does not list all commits of this push. Name them in a new request.'
  }
}
