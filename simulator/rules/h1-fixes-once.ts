import { type Fix, fixAttemptsOf, fixesOf } from '../fixes.ts'
import { canRemember, sentBy } from '../history.ts'
import type { Rule } from './rule.ts'

// What fails of a commit goes to the agent once, whoever sends it, and so often in all as both workflows allow.

const onceAHead: Rule = {
  promise: 'H1',
  name: 'fixes-once-a-head',
  afterLife(history, life) {
    const fixes = fixesOf(history)
    const isForgotten = ({ request }: Fix) => request !== undefined && !canRemember(history, request)
    const headOf = ({ jobId, sha }: Fix) => `${jobId} ${sha}`
    return fixes.flatMap((fix, n) => {
      const before = fixes.slice(0, n).find((one) => headOf(one) === headOf(fix))
      // With a comment that people deleted, the thread forgets what went back.
      if (fix.life !== life || before === undefined || isForgotten(fix) || isForgotten(before)) return []
      return [`${life.name} sent what fails of ${fix.sha}, as ${before.life.name} had done`]
    })
  },
}

const noMoreRounds: Rule = {
  promise: 'H1',
  name: 'no-more-rounds-than-allowed',
  afterLife(history, life) {
    const fixes = fixesOf(history)
    return fixes.flatMap((fix, n) => {
      const { request, jobId } = fix
      if (fix.life !== life || request === undefined || !canRemember(history, request)) return []
      // What is asked again has its rounds again.
      const { at: askedAt = 0 } = sentBy(history, [request]).findLast(({ at }) => at <= fix.at) ?? {}
      const isOfThis = (one: Fix) => one.request === request && one.jobId === jobId && one.at >= askedAt
      const nth = fixes.slice(0, n + 1).filter(isOfThis).length
      const own = life.role === 'sweep' ? fixAttemptsOf(life.inputs) : Number.POSITIVE_INFINITY
      const most = Math.min(fixAttemptsOf(request.inputs), own)
      return nth > most ? [`${life.name} sent failures for ${request.name} the ${nth}. time of ${most}`] : []
    })
  },
}

export const H1_OF_FIXES: readonly Rule[] = [onceAHead, noMoreRounds]
