import { samePullRequest } from '../base/link.ts'
import { type ChecksEvent, isAboutPullRequest } from '../event/checks-event.ts'
import type { Runner, Trigger } from '../event/trigger.ts'
import { jobOf } from '../record/states.ts'
import type { OpenRequest, Work } from './sweep.ts'

/** Whether the event of a sweep names what may be the pull request of a request. */
export const isNamedBy =
  (runner: Runner, { event, subject }: Trigger, checksEvent: ChecksEvent | undefined) =>
  ({ record }: OpenRequest): boolean => {
    const link = jobOf(record)?.prLink ?? ''
    const branch = record.state === 'ended' ? (record.checks?.branch ?? '') : ''
    // A job names its pull request at its end: until somebody has read that, any may be the job's.
    const isUnread = link === '' && record.state === 'running'
    if (checksEvent === undefined)
      return event === 'pull_request' && samePullRequest(link, subject?.url ?? '', runner.serverUrl)
    if (isUnread && checksEvent.pulls.length > 0) return true
    return isAboutPullRequest(checksEvent, { link, branch }, runner)
  }

/**
 * The part of a sweep's work that an event about checks names.
 * @returns undefined where no record may know one of its pull requests: then nothing more is read
 */
export function narrowWork(work: Work, isNamed: (one: OpenRequest) => boolean): Work | undefined {
  const named = {
    running: work.running.filter(isNamed),
    unfinished: work.unfinished.filter(isNamed),
    followed: work.followed.filter(isNamed),
    unsettled: work.unsettled.filter(isNamed),
    notKnown: 0,
  }
  const { running, unfinished, followed, unsettled } = named
  return [running, unfinished, followed, unsettled].some((some) => some.length > 0) ? named : undefined
}
