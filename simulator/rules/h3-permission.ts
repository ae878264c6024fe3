import {
  allowedBots,
  canRemember,
  isAgents,
  isOfPull,
  isPrompt,
  outcomeOf,
  requestOf,
  strangersOf,
} from '../history.ts'
import type { Life } from '../life.ts'
import { complaints, type Rule } from './rule.ts'

const SETS = /^\/repos\/octo\/app\/statuses\/[\da-f]{40}$/
/** Beside the word that a label of theirs decides nothing, which leaves the head as undecided as it was. */
const setsStatus = ({ calls }: Life): boolean =>
  calls.some(({ method, path, body }) => method === 'POST' && SETS.test(path) && !LEAVES_OPEN.test(body))
const LEAVES_OPEN = /^\{"state":"pending",.*"description":"[^"]* set a label but may not ask: /

/** Without the permission, a person reaches neither the agent nor a status, nor before GitHub has said what they may do. */
const onlyThoseWhoMay: Rule = {
  promise: 'H3',
  name: 'only-those-who-may',
  afterLife(history, life) {
    const request = requestOf(history, life)
    if (request === undefined) return []
    const { inputs, event } = request
    const [{ bornAt } = life] = request.runs.flatMap(({ main, post }) =>
      main === life || post === life ? main : [],
    )
    const strangers = strangersOf(request, history.world.leftAt <= bornAt)
    const first = life.calls.findIndex(({ host }) => host === 'service')
    const before = first < 0 ? [] : life.calls.slice(0, first)
    const isPublic = inputs['min-permission'] === 'none' || life.role === 'post'
    const unread = event.accounts.filter((login) => {
      const path = `/repos/octo/app/collaborators/${encodeURIComponent(login)}/permission`
      return !login.endsWith('[bot]') && !before.some((call) => call.path === path && call.status === 200)
    })
    // What a bot pushes leaves the decision to people.
    const people = strangers.filter((login) => !login.endsWith('[bot]'))
    return complaints(
      [first >= 0 && strangers.length > 0, `${life.name} asked the service for ${strangers}`],
      [first >= 0 && !isPublic && unread.length > 0, `${life.name} asked before it knew of ${unread}`],
      [setsStatus(life) && people.length > 0, `${life.name} sets a status for ${people}`],
    )
  },
}

/** The agent hears neither of what an unlisted bot does, nor of its own pull requests. */
const noLoops: Rule = {
  promise: 'H3',
  name: 'no-loops',
  afterMain({ history, world, request, life }) {
    const bots = allowedBots(request.inputs)
    const { opener = '' } = request.event
    const isOwn = isOfPull(request) && isAgents(world, request.thread) && !bots.includes(opener)
    // Under the name of a person, only what a thread remembers, or a sign, tells. An answer to `/docs status` remembers no job.
    const isShown = opener.endsWith('[bot]') || isRemembered()
    return isOwn && isShown
      ? life.calls
          .filter(isPrompt)
          .map(({ path }) => `${life.name} sent ${path} for #${request.thread}, the agent's own`)
      : []

    function isRemembered(): boolean {
      const link = `https://github.com/octo/app/pull/${request.thread}`
      return history.requests.some(
        (other) =>
          other !== request &&
          canRemember(history, other) &&
          other.runs.some(
            ({ main }) =>
              main.footprint.outputs.get('pr-link') === link &&
              outcomeOf(main) !== 'skipped' &&
              main.endedAt > 0 &&
              main.endedAt < life.bornAt,
          ),
      )
    }
  },
}

/** What somebody forges, or carries to another thread, leads to no job. */
const forgedCountsForNothing: Rule = {
  promise: 'H3',
  name: 'forged-counts-for-nothing',
  afterLife: ({ world }, life) =>
    life.calls
      .filter(({ host, path }) => host === 'service' && path.includes(world.foreignJob))
      .map(({ method, path }) => `${life.name} sent ${method} ${path}, a stranger's job`),
}

export const H3: readonly Rule[] = [onlyThoseWhoMay, noLoops, forgedCountsForNothing]
