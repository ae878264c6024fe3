/** A line of `src/` that is broken on purpose, so that tests or stories show that they notice. */
export interface Sabotage {
  /** The promise or the feature that breaks. */
  readonly breaks: string
  readonly name: string
  /** Stands once in all of `src/`, in whichever file. */
  readonly find: string
  readonly replace: string
  /** Test files that are tried first, because they notice it: all of `npm test` and the stories come after them. */
  readonly first: string
}

/** One at least for each hard promise and each feature. */
export const SABOTAGES: readonly Sabotage[] = [
  {
    breaks: 'H1 asked once',
    name: 'a re-run knows nothing of what an earlier attempt sent',
    find: 'inputs.dryRun ? run.place() : run.resumeFromThread()',
    replace: 'run.place() as ReturnType<typeof run.resumeFromThread>',
    first: 'test/scenarios/re-run',
  },
  {
    breaks: 'H1 asked once',
    name: 'what may have gone out counts as refused',
    find: 'error instanceof ServiceError || error instanceof Cancelled',
    replace: 'error instanceof Error',
    first: 'test/scenarios/endings test/scenarios/daily-limit',
  },
  {
    breaks: 'H2 never lost',
    name: 'outputs do not name the job',
    find: "'job-id': job?.id ?? ''",
    replace: "'job-id': ''",
    first: 'test/scenarios/outputs',
  },
  {
    breaks: 'H2 never lost',
    name: 'sweeps take no job for over',
    find: "record.state === 'running' ||\n  (record.state === 'sending'",
    replace: "(record.state === 'sending'",
    first: 'test/scenarios/sweep',
  },
  {
    breaks: 'H3 only those who may',
    name: 'any permission is enough',
    find: 'const suffices = PERMISSIONS.indexOf(has) >= PERMISSIONS.indexOf(needs)',
    replace: 'const suffices = PERMISSIONS.indexOf(has) >= 0',
    first: 'test/event test/scenarios/access',
  },
  {
    breaks: 'H3 only those who may',
    name: 'each bot is listed',
    find: 'account?.bot === true && !isListed(allowedBots, account)',
    replace: 'account?.bot === true && allowedBots === undefined',
    first: 'test/event test/scenarios/bots',
  },
  {
    breaks: 'H4 nothing leaks',
    name: 'secrets are not masked',
    find: 'for (const secret of secrets) core.setSecret(secret)',
    replace: '',
    first: 'test/redact test/simulator',
  },
  {
    breaks: 'H4 nothing slips in',
    name: 'what others wrote stands outside the fence',
    find: "joined('\\n\\n', asked, fenced)",
    replace: "joined('\\n\\n', asked, text)",
    first: 'test/prompt',
  },
  {
    breaks: 'H5 green is never said over red',
    name: 'a check that fails passes',
    find: "['failure', 'failed'],\n  ['timed_out', 'failed']",
    replace: "['failure', 'passed'],\n  ['timed_out', 'failed']",
    first: 'test/features/checks',
  },
  {
    breaks: 'H5 green is never said over red',
    name: 'a check without a verdict passes',
    find: "['in_progress', 'works']",
    replace: "['in_progress', 'passed']",
    first: 'test/features/checks',
  },
  {
    breaks: 'H6 GitHub decides no outcome',
    name: 'what GitHub refuses after the job ends the run',
    find: 'add(task, error)\n          return isRefused(error)',
    replace: 'throw error',
    first: 'test/scenarios/github-away test/scenarios/reviewers',
  },
  {
    breaks: 'H7 one end, and true',
    name: 'a time-out is a warning, whatever `on-timeout` says',
    find: "outcome === 'timed-out' && onTimeout === 'warn'",
    replace: "outcome === 'timed-out'",
    first: 'test/scenarios/endings',
  },
  {
    breaks: 'H7 one end, and true',
    name: 'what is left out of the prompt is not said',
    find: 'leftOut.push(...what)',
    replace: '',
    first: 'test/words',
  },
  {
    breaks: 'checks',
    name: 'what fails goes back once more than `fix-attempts` says',
    find: 'sentFor.length < fixAttempts',
    replace: 'sentFor.length <= fixAttempts',
    first: 'test/scenarios/checks',
  },
  {
    breaks: 'pull requests and their status',
    name: 'an earlier request decides the status over a later one',
    find: '.toSorted((a, b) => b.record.requestedAt - a.record.requestedAt)',
    replace: '.toSorted((a, b) => a.record.requestedAt - b.record.requestedAt)',
    first: 'test/features/pull-request test/scenarios/commit-status test/scenarios/verdict',
  },
  {
    breaks: 'merge queue',
    name: 'a queue merges what still waits for its docs',
    find: "if (status?.state === 'success')",
    replace: "if (status?.state === 'success' || status?.state === 'pending')",
    first: 'test/scenarios/merge-queue',
  },
  {
    breaks: 'merges',
    name: 'merges before the point count, too',
    find: 'mergedAt > point',
    replace: 'mergedAt > 0',
    first: 'test/scenarios/changes-since',
  },
  {
    breaks: 'paths',
    name: 'a pattern with ! takes nothing out',
    find: "line.startsWith('!')",
    replace: "line.startsWith('!!')",
    first: 'test/inputs test/scenarios/paths',
  },
  {
    breaks: 'daily-limit',
    name: 'the day allows one more',
    find: '.toSorted((a, b) => a - b).at(-limit)',
    replace: '.toSorted((a, b) => a - b).at(-limit - 1)',
    first: 'test/core/daily-limit test/scenarios/daily-limit',
  },
  {
    breaks: 'dry-run',
    name: 'a dry run asks the agent',
    find: 'if (dryRun) {',
    replace: 'if (dryRun && dailyLimit === -1) {',
    first: 'test/scenarios/dry-run',
  },
  {
    breaks: 'dry-run',
    name: 'a dry run does not say whether the key works',
    find: 'const all = { ...results, key }',
    replace: 'const all = results',
    first: 'test/scenarios/dry-run',
  },
  {
    breaks: 'conversation',
    name: 'a job whose pull request is merged goes on',
    find: "if (state === 'merged' || state === 'closed')",
    replace: "if (state === 'closed')",
    first: 'test/core/plan test/scenarios/conversation',
  },
  {
    breaks: 'conversation',
    name: 'comments of strangers go along',
    find: "PERMISSIONS.indexOf(needs) ? undefined : 'strangers'",
    replace: 'PERMISSIONS.indexOf(needs) ? undefined : undefined',
    first: 'test/scenarios/said-above test/scenarios/conversation',
  },
  {
    breaks: 'conversation',
    name: 'the job gets once more what it has',
    find: '({ remark }) => remark.createdAt > since',
    replace: '({ remark }) => remark.createdAt > 0',
    first: 'test/scenarios/said-above test/scenarios/conversation',
  },
  {
    breaks: 'reviewers',
    name: 'who asked is not asked for a review',
    find: 'name === REQUESTER ? requestedBy : name',
    replace: "name === REQUESTER ? '' : name",
    first: 'test/core/reviewers test/scenarios/reviewers',
  },
  {
    breaks: 'labels',
    name: 'no label is set',
    find: "labels.length === 0 || warnings.doneOrRefused(['labels', pull]",
    replace: "labels.length >= 0 || warnings.doneOrRefused(['labels', pull]",
    first: 'test/scenarios/reviewers',
  },
  {
    breaks: 'tracking issue',
    name: 'each refresh opens an issue of its own',
    find: 'issue.title === title && trackingOf(session, issue, own)',
    replace: 'issue.title !== title && trackingOf(session, issue, own)',
    first: 'test/scenarios/tracking-issue',
  },
  {
    breaks: 'tracking issue',
    name: 'a new issue begins before the merges that a closed one covered',
    find: 'countsMerges ? await coveredByClosed(session, title) : covered',
    replace: 'countsMerges ? covered : covered',
    first: 'test/scenarios/tracking-closed test/scenarios/tracking-issue',
  },
  {
    breaks: 'healing',
    name: 'what a lost run left in a thread stays as it is',
    find: 'if (left.length === 0) return',
    replace: 'if (left.length >= 0) return',
    first: 'test/scenarios/lost-run test/scenarios/left-open',
  },
]
