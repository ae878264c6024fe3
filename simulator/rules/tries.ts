import { asObject, parseJson } from '../../src/json.ts'
import { bodyOf } from '../history.ts'
import type { Call, Life } from '../life.ts'
import type { World } from '../world.ts'
import type { Rule } from './rule.ts'

/** No more tries than the contract allows, and none after what may have been processed. */
export const fewTries: Rule = {
  name: 'few-tries',
  clause: '4.3, 4.4, 5.7',
  afterLife: ({ world }, life) => [
    ...triesOfSending(world, life),
    ...triesOfReading(life),
    ...triesOfGitHub(life),
  ],
}

const SENDS = 5
const UNREADABLE = 3
const GITHUB = 4

function triesOfSending(world: World, { name, calls, role, inputs }: Life): string[] {
  // A sweep asks for the previews of several pull requests.
  const sends = calls.filter(
    ({ host, method, path }) =>
      host === 'service' && method === 'POST' && (role !== 'sweep' || isAgents(path)),
  )
  // Each head gets a preview, whoever had it made, and what fails of it a message of its own (4.12).
  const deployed = sends.filter((call) => !isAgents(call.path) && isAccepted(call))
  const heads = 1 + Number(inputs['fix-attempts'] ?? 0)
  const own = (call: Call) => sends.filter(({ at, path }) => isAgents(path) && at < call.at).length
  const headOf = (call: Call) => own(call) + world.heads.filter(({ at }) => at <= call.at).length
  // Two heads can fail alike, so that the agent gets the same words for each.
  const takenBefore = (call: Call) =>
    sends.filter((one) => one.at < call.at && one.body === call.body && isAccepted(one)).length
  const groups = Map.groupBy(sends, (call) =>
    isAgents(call.path) ? `${call.path} ${call.body} ${takenBefore(call)}` : `${call.path} ${headOf(call)}`,
  ).values()
  return [...groups].flatMap((tries) => [
    ...(role !== 'sweep' && deployed.length > heads ? [`${name} deployed ${deployed.length} previews`] : []),
    ...(tries.length > SENDS ? [`${name} sent ${tries.length} times`] : []),
    ...tries
      .slice(0, -1)
      .filter((call) => !surelyUnprocessed(call))
      .map(({ path, status, failed }) => `${name} tried again: POST ${path} after ${status ?? failed}`),
  ])
}

const isAccepted = ({ status = 500, text }: Call): boolean => status < 300 && text !== undefined

function surelyUnprocessed({ status, failed, retryAfter, text }: Call): boolean {
  if (status === undefined) return failed === 'ECONNREFUSED'
  return text !== undefined && (status === 429 || (status === 503 && retryAfter !== undefined))
}

function triesOfReading({ name, calls, role, isWoken }: Life): string[] {
  // Until the job of the pull request ends, every other read that goes wrong is as good as one that says active (8.4).
  if (isWoken) return []
  const reads = calls.filter(
    ({ host, path, method }) => host === 'service' && method === 'GET' && isAgents(path),
  )
  const most = role === 'sweep' ? 1 : UNREADABLE
  return [...Map.groupBy(reads, ({ path }) => path)].flatMap(([path, tries]) => {
    let odd = 0
    let worst = 0
    for (const call of tries) {
      odd = isUnreadable(call) ? odd + 1 : 0
      worst = Math.max(worst, odd)
    }
    const isTwice = tries.slice(1).some((call, n) => !isLookedForAgain(tries[n], call))
    const often = role === 'sweep' && isTwice ? [`${name} read ${path} ${tries.length} times`] : []
    return worst > most ? [`${name} read something that is no job ${worst} times: ${path}`] : often
  })
}

/** What is missing for the first time is looked for again, half a minute later (4.4). */
const isLookedForAgain = (before: Call | undefined, call: Call): boolean =>
  before?.status === 404 && call.at - before.at >= 30_000

/** The other reads are of previews, which go on for as long as the build does. */
const isAgents = (path: string): boolean => path.startsWith('/v2/agent/')

/** No job: it lacks what the action cannot do without. */
function isUnreadable({ status = 0, text }: Call): boolean {
  if (status < 200 || status > 299 || text === undefined) return false
  const { id, status: state } = asObject(parseJson(text))
  return typeof id !== 'string' || typeof state !== 'string'
}

function triesOfGitHub({ name, calls }: Life): string[] {
  const asked = calls.filter((call) => call.host === 'github' && !wasTurnedAway(call))
  const operations = Map.groupBy(asked, ({ operation }) => operation).values()
  const comments = Map.groupBy(
    asked.filter(({ method, path }) => method === 'POST' && path.endsWith('/comments')),
    bodyOf,
  ).values()
  return [...operations, ...comments]
    .filter((tries) => tries.length > GITHUB)
    .map((tries) => `${name} tried ${tries.length} times: ${tries[0]?.method} ${tries[0]?.path}`)
}

/** What surely was not processed is tried for two minutes at the end (5.7). */
const wasTurnedAway = ({ failed, status }: Call): boolean =>
  failed === 'ECONNREFUSED' || status === 403 || status === 429
