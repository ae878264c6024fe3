import { codeSpan, joined, withoutRerun } from '../base/text.ts'
import { isLeased } from '../record/log.ts'
import type { RequestRecord } from '../record/record.ts'
import { areChecksFollowed, isWaitedFor } from '../record/states.ts'
import { unverified } from './notes.ts'
import { markdownLink, pullRequestLink } from './phrases.ts'

/** What `/docs cancel` and the like answer. @param command word */
export const cannotStop = (command: string): string =>
  `The docs agent can't be stopped. To drop its work, close its pull request; to change it, write \`${command} …\` with what to do instead.`

export const noLastRequest = (command: string): string =>
  `This thread has no request yet. \`${command} …\` asks the docs agent.`

export const UNREAD_LAST = "I can't read this thread, so I don't know how its last request ended."

/** Records of the thread do not verify: a later request may be among them. @param command word */
export const unverifiedLast = (command: string): string =>
  `It is not known how the last request here ended. ${unverified(command)}`

interface LastRequest {
  readonly record: RequestRecord
  /** Of its comment. */
  readonly url: string
  /** On GitHub's clock, of its comment. */
  readonly updatedAt: number
  readonly runUrl: string
  /** On GitHub's clock. */
  readonly now: number
  /** The command word. */
  readonly command: string
}

/** What `/docs retry` and the like answer: how the last request of the thread ended, and what asks it again. */
export function describeLast({ record, url, updatedAt, runUrl, now, command }: LastRequest): string {
  const whose = record.requestedBy === '' ? '' : `, by ${codeSpan(record.requestedBy)},`
  const last = `The last request here${whose}`
  const rerun = `[Re-run the workflow](${runUrl})`
  const anew = `or write the request again after \`${command}\``
  const notKnown = `It is not known whether the docs agent got the last request here. Look in Mintlify's dashboard: if it has the request, wait for its pull request; if not, [re-run the workflow](${runUrl}).`
  if (isLeased(record, updatedAt, now) && (isWaitedFor(record) || areChecksFollowed(record)))
    return `${last} is at work. Comment \`${command} status\` to see how it stands.`
  switch (record.state) {
    case 'idle':
      return noLastRequest(command)
    case 'sending':
      return notKnown
    case 'running':
      return `${last} went to job ${codeSpan(record.job.id)}, and no run waits for it any more. Comment \`${command} status\` to see how it stands; [re-run the workflow](${runUrl}) to follow it again, or to ask again if it failed.`
    case 'ended': {
      const { outcome, reason } = record.ending
      if (outcome === 'pull-request')
        return `${last} is done: ${pullRequestLink(record.job.prLink)}. Write \`${command} …\` with what to change.`
      if (outcome === 'no-pull-request')
        return `${last} ended without a new pull request. Write \`${command} …\` with what is missing.`
      if (outcome === 'archived')
        return `The job of the last request here was archived. \`${command} …\` starts another one.`
      if (reason === 'end-uncertain')
        return `It is not known whether the docs agent finished the last request here. Look at its pull request, ${anew}.`
      if (reason === 'job-not-found')
        return `The job of the last request here is gone. ${rerun} to ask it again, ${anew}.`
      return `${last} failed. ${rerun} to ask it again, ${anew}.`
    }
    case 'closed': {
      const { reason, message } = record.ending
      if (reason === 'creation-uncertain') return notKnown
      // The record holds the beginning of a long one, and its comment all of it.
      const isWhole = message === '' || message.endsWith('.')
      const why = isWhole ? withoutRerun(message) : `${markdownLink('Its answer', url)} says why.`
      return joined(' ', `${last} did not reach the docs agent.`, why, `${rerun} to send it, ${anew}.`)
    }
  }
}
