import { requestOf } from '../history.ts'
import { allowedBots, strangersOf, wasMisled } from '../truth.ts'
import type { Rule } from './rule.ts'

/** The service gets no request for a person without the permission, and none before GitHub has named it. */
export const nothingForStrangers: Rule = {
  name: 'nothing-for-strangers',
  clause: '3.3, 3.4',
  afterLife(history, life) {
    const request = requestOf(history, life)
    const first = life.calls.findIndex(({ host }) => host === 'service')
    if (request === undefined || first < 0) return []
    if (life.role === 'post') return [`${life.name} asked the service something`]
    const { inputs, event } = request
    const needs = inputs['min-permission'] ?? 'write'
    const bots = allowedBots(inputs)
    const strangers = strangersOf(request)
    if (event.opener?.endsWith('[bot]') === true && !bots.includes(event.opener)) strangers.push(event.opener)
    const asked = life.calls.slice(0, first)
    const unknown = event.accounts.filter((login) => {
      const path = `/repos/octo/app/collaborators/${encodeURIComponent(login)}/permission`
      const known = asked.some((call) => call.path === path && call.status === 200 && call.text !== undefined)
      return needs !== 'none' && !login.endsWith('[bot]') && !known
    })
    return [
      ...strangers.map((login) => `${life.name} asked the service for ${login}`),
      ...unknown.map((login) => `${life.name} asked the service before it knew what ${login} may do`),
    ]
  },
}

/** No forged or carried record leads to somebody else's job. */
export const onlyOwnJobs: Rule = {
  name: 'only-own-jobs',
  clause: '5.1',
  afterLife: ({ world }, life) =>
    life.calls
      .filter(({ host, path }) => host === 'service' && path.includes(world.foreignJob))
      .map(({ method, path }) => `${life.name} sent ${method} ${path}, a stranger's job`),
}

const SETS = /^\/repos\/octo\/app\/statuses\/[\da-f]{40}$/

/** Without the permission, no person changes a commit status. */
export const noStrangerDecides: Rule = {
  name: 'no-stranger-decides',
  clause: '4.13',
  afterLife(history, life) {
    const request = requestOf(history, life)
    if (request === undefined || wasMisled(life)) return []
    // What a bot pushes leaves the decision to people (3.4).
    if (strangersOf(request).every((login) => login.endsWith('[bot]'))) return []
    return life.calls.some(({ method, path }) => method === 'POST' && SETS.test(path))
      ? [`${life.name} sets a status for ${request.ask.sender}`]
      : []
  },
}
