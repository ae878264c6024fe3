import { samePullRequest } from '../base/link.ts'
import { type Bell, rings } from '../event/bell.ts'
import type { Runner, Trigger } from '../event/trigger.ts'
import { jobOf } from '../record/record.ts'
import type { OpenRequest, Work } from './sweep.ts'

/** Whether the event of a sweep names what may be the pull request of a request: by a bell, or as a `pull_request` event. */
export const namedBy =
  (runner: Runner, { event, subject }: Trigger, bell: Bell | undefined) =>
  ({ record }: OpenRequest): boolean => {
    const link = jobOf(record)?.prLink ?? ''
    const branch = record.state === 'ended' ? (record.checks?.branch ?? '') : ''
    // A job names its pull request at its end: until somebody has read that, any may be the job's.
    const isUnread = link === '' && record.state === 'running'
    if (bell !== undefined)
      return rings(bell, { link, branch }, runner) || (isUnread && bell.pulls.length > 0)
    return event === 'pull_request' && samePullRequest(link, subject?.url ?? '', runner.serverUrl)
  }

/**
 * What a bell has a sweep do: all of the pull requests that it names, and nothing else.
 * @returns undefined where no record may know one of them: then nothing more is read
 */
export function rungWork(work: Work, isNamed: (one: OpenRequest) => boolean): Work | undefined {
  const { running, rest, followed, unsettled } = work
  const rung = {
    running: running.filter(isNamed),
    rest: rest.filter(isNamed),
    followed: followed.filter(isNamed),
    unsettled: unsettled.filter(isNamed),
    notKnown: 0,
  }
  const all = [...rung.running, ...rung.rest, ...rung.followed, ...rung.unsettled]
  return all.length === 0 ? undefined : rung
}
