import { type Case, onService, TRUE_IF } from '../endings.ts'
import { outcomeOf, type Request, reasonOf, takenUp } from '../history.ts'
import { isShort, wasMisled } from '../truth.ts'
import type { Rule } from './rule.ts'

/** Whoever may ask is served, or hears a reason of the contract that is true; no one else is told so by mistake. */
export const served: Rule = {
  name: 'served',
  clause: '2, 3.3, 5.7',
  afterMain({ history, request, life }) {
    if (life.fate !== 'ended' || wasMisled(life)) return []
    const one: Case = Object.assign(Object.create(request) as Request, { history, life })
    const [outcome, reason] = [outcomeOf(life), reasonOf(life)]
    if (isTrue(one, outcome, reason)) return []
    const said = [outcome, reason].filter(Boolean).join(', ')
    return [`${life.name} ends as ${said} for ${request.ask.author} (${request.ask.event}), which is not so`]
  },
}

function isTrue(one: Case, outcome: string, reason: string): boolean {
  if (outcome === 'cancelled') return one.life.cancelledAt !== undefined
  if (reason !== '') return TRUE_IF[reason]?.(one) === true
  const jobId = one.life.footprint.outputs.get('job-id') ?? ''
  if (outcome === 'timed-out' && jobId === '') return isShort(one) || onService(one)
  const { service } = one.history.world.emulator
  const job = service.job(jobId)
  const { ask } = takenUp(one.history, one, one.life) ?? one
  // A job that is gone holds no prompt any more.
  return job === undefined || job.prompts.some((prompt) => prompt.includes(`${ask.id};`))
}
