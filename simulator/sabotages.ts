/** One line of the product, broken, and the invariant that must notice. */
export interface Sabotage {
  readonly name: string
  /** In `src/`. */
  readonly file: string
  /** Stands there exactly once. */
  readonly from: string
  readonly to: string
  readonly invariant: string
}

export const SABOTAGES: readonly Sabotage[] = [
  {
    name: 'a creation is tried again after a reset',
    file: 'http/retry.ts',
    from: "transport('timeout', 'broken', 'cancelled'), send: 'uncertain'",
    to: "transport('timeout', 'broken', 'cancelled'), send: 'retry'",
    invariant: 'never-twice',
  },
  {
    name: 'the marker is not written ahead',
    file: 'run/pursue.ts',
    from: "  await note(session, { state: 'sending', job: progress.targetJob })\n",
    to: '',
    invariant: 'never-twice',
  },
  {
    name: 'a re-run does not pick up the job of an earlier attempt',
    file: 'run/plan.ts',
    from: "return namesJob(own) ? { kind: 'resume', own }",
    to: "return namesJob(own) && own.job === 'x' ? { kind: 'resume', own }",
    invariant: 'never-twice',
  },
  {
    name: 'the job is not written to the outputs before it is waited for',
    file: 'run/progress.ts',
    from: '  progress.outputs.job(job, progress.jobAction)\n',
    to: '',
    invariant: 'nothing-lost',
  },
  {
    name: 'the permission is not checked',
    file: 'run/run.ts',
    from: 'if (!access.granted) {',
    to: 'if (false) {',
    invariant: 'nothing-for-strangers',
  },
  {
    name: 'only the author of a comment is asked for, not its sender',
    file: 'trigger/access.ts',
    from: '[...trigger.authors, trigger.sender]',
    to: 'trigger.authors.length > 0 ? trigger.authors : [trigger.sender]',
    invariant: 'nothing-for-strangers',
  },
  {
    name: 'the HMAC of a marker is not checked',
    file: 'core/marker.ts',
    from: ' || !sameText(hmac, sign(payload, scope))',
    to: '',
    invariant: 'only-own-jobs',
  },
  {
    name: 'the eyes stay',
    file: 'thread/reactions.ts',
    from: "if (mayHaveEyes) await takeBack('eyes', eyes)",
    to: '',
    invariant: 'one-result',
  },
  {
    name: 'the status comment stays beside the result',
    file: 'thread/thread.ts',
    from: '      await tidy(all, written.id)\n',
    to: '',
    invariant: 'one-result',
  },
  {
    name: 'a result is written over',
    file: 'thread/thread.ts',
    from: "own.state === 'reported' ||\n  (SENT_NOTHING",
    to: '(SENT_NOTHING',
    invariant: 'result-stays',
  },
  {
    name: 'the deadline is not heeded',
    file: 'http/insist.ts',
    from: 'if (left <= 0) return { late }',
    to: '',
    invariant: 'nothing-after-deadline',
  },
  {
    name: 'the key is echoed in an error',
    file: 'http/service-error.ts',
    from: 'oneLine(redact(said, secrets), 200)',
    to: 'oneLine(said, 200)',
    invariant: 'secrets-kept',
  },
  {
    name: 'redirects of the service are followed',
    file: 'http/exchange.ts',
    from: "redirect: request.redirect ?? 'manual'",
    to: "redirect: 'follow'",
    invariant: 'no-redirects',
  },
  {
    name: 'a line of the log is not kept from being a command',
    file: 'core/text.ts',
    from: ".replaceAll('##[', '## [')",
    to: '',
    invariant: 'commands-meant',
  },
  {
    name: 'a field of the job keeps its line breaks',
    file: 'core/job.ts',
    from: 'oneLine(textOf(value))',
    to: 'textOf(value)',
    invariant: 'results-agree',
  },
  {
    name: 'the prompt can close its fence',
    file: 'core/text.ts',
    from: "'`'.repeat(longest + 1)",
    to: "'`'.repeat(3)",
    invariant: 'nobody-else-mentioned',
  },
  {
    name: 'a cancelled run waits on',
    file: 'core/cancellation.ts',
    from: 'const EVERYTHING_MS = 4500',
    to: 'const EVERYTHING_MS = 450_000',
    invariant: 'cancelled-soon',
  },
  {
    name: 'a read that is no job is asked for without end',
    file: 'http/retry.ts',
    from: 'UNREADABLE_TRIES = 3',
    to: 'UNREADABLE_TRIES = 300',
    invariant: 'few-tries',
  },
  {
    name: 'a clock that is set back takes the pauses away',
    file: 'agent/pause.ts',
    from: 'Math.max(0, waitedMs)',
    to: 'waitedMs',
    invariant: 'patient',
  },
]
