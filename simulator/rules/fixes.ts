import { type History, isFix, livesOf, type Request, requestOf } from '../history.ts'
import type { Message } from '../world.ts'
import type { Rule } from './rule.ts'

/** What went back to the agent of its own pull request (4.12). */
const fixesOf = ({ world }: History, request: Request): Message[] =>
  world.messages.filter(({ callId }) =>
    livesOf(request).some(({ calls }) => calls.some((call) => call.id === callId && isFix(request, call))),
  )

/** Failures go back a few times, each commit's once, from a run that the thread knows of, and the pull request is there. */
export const fixesAreFew: Rule = {
  name: 'fixes-are-few',
  clause: '4.12',
  afterLife(history, life) {
    const request = requestOf(history, life)
    if (request === undefined) return []
    const fixes = fixesOf(history, request)
    const most = Number(request.inputs['fix-attempts'] ?? 0)
    const shas = fixes.map(({ sha }) => sha)
    // A run that remembers nothing starts another job, whose pull request is another one.
    const ofJobs = [...Map.groupBy(fixes, ({ jobId }) => jobId).values()].map(({ length }) => length)
    const inThread = request.thread !== undefined && request.inputs.comment !== 'off'
    return [
      ...ofJobs
        .filter((many) => many > most)
        .map((many) => `${request.name} sent failures back ${many} times, not ${most}`),
      ...(new Set(shas).size < shas.length ? [`${request.name} sent the failures of one commit twice`] : []),
      ...fixes
        .filter(({ isRemembered }) => inThread && !isRemembered)
        .map(
          ({ jobId }) =>
            `${request.name} sent failures to ${jobId}, which #${request.thread} does not remember`,
        ),
      ...fixes
        .filter(({ isShown }) => inThread && !isShown)
        .map(
          ({ jobId }) =>
            `${request.name} sent failures to ${jobId} before #${request.thread} had its pull request`,
        ),
    ]
  },
}
