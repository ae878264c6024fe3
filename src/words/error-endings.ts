import { codeSpan, joined, withoutRerun } from '../base/text.ts'
import type { Report } from '../record/report.ts'
import { askStatus, jobId, type MessageOptions, pickUp, reply, sentenceOf } from './phrases.ts'

/** What an error did to the request, so that people do not have to guess it from the cause. */
export function errorHeadline({ reason, job, jobAction, messagedJobId = '' }: Report): string {
  if (reason === 'creation-uncertain') {
    const what =
      messagedJobId === '' ? 'a job was started' : `the job ${codeSpan(messagedJobId)} got the request`
    return `It is not known whether ${what}`
  }
  if (reason === 'end-uncertain') return 'It is not known whether the docs agent finished this request'
  if (job !== undefined) {
    // Only a question about its state knows a job that the request did not go to.
    if (jobAction === 'none') return `The job ${jobId({ job })} could not be read`
    return reason === 'job-not-found'
      ? `The job ${jobId({ job })} is gone`
      : `This run can no longer follow the job ${jobId({ job })}`
  }
  if (reason === 'bad-input') return 'An input of the workflow cannot be used'
  return reason === 'internal' ? 'The action failed' : 'The docs agent did not get the request'
}

/** What went wrong, and what people can do now. */
export function explainEnding(report: Report, options: MessageOptions): string {
  const { job, reason, message } = report
  return job === undefined || reason === 'creation-uncertain' ? message : explainUnread(report, options)
}

/** The job has the request, or was only asked about: what failed is to read it. */
export function explainUnread(report: Report, options: MessageOptions): string {
  const { reason, jobAction, message } = report
  if (reason === 'end-uncertain')
    return joined(
      ' ',
      `The job ${jobId(report)} is over, and its end may be that of a later request.`,
      sentenceOf('', reply(options, '…', 'to ask again')),
    )
  const why = withoutRerun(message)
  if (jobAction === 'none') {
    const when = reason === 'service-unavailable' ? 'later' : 'after that'
    return `${why} This says nothing about the job itself: comment \`${options.command} status\` again ${when}.`
  }
  if (reason === 'job-not-found')
    return joined(
      ' ',
      why,
      'If the agent opened no pull request,',
      reply(options, 'new …', 'with the whole request') || 're-run the workflow',
    ).concat('.')
  const goesOn = `The agent has the request, and its job ${jobId(report)} goes on without this run.`
  return joined(' ', why, goesOn, sentenceOf('; ', askStatus(options), pickUp(options)))
}
