import { commentOf, type Fix, fixesOf } from '../fixes.ts'
import { allowedBots, allSentBy, bodyOf, type History, pullOf } from '../history.ts'
import type { Life } from '../life.ts'
import { mayAsk, needsMore } from '../people.ts'
import { recordedIn } from '../records.ts'
import { agentPulls, REPOSITORY, type World } from '../world.ts'
import type { Rule } from './rule.ts'

/** A sweep sends failures only for who asked, and may still ask by what both workflows need, as GitHub says right before. */
const stillMay: Rule = {
  promise: 'H3',
  name: 'fixes-for-those-who-still-may',
  afterLife: (history, life) =>
    life.role !== 'sweep'
      ? []
      : fixesOf(history)
          .filter((fix) => fix.life === life)
          .flatMap((fix) => complaintsOf(history, fix)),
}

function complaintsOf({ world }: History, { life, call, jobId, claim, request }: Fix): string[] {
  const sent = `${life.name} sent failures to ${jobId}`
  if (claim === undefined) return [`${sent} without a record`]
  // An event of no comment needs no person's permission, or names its person in no record.
  if (claim.comment === '') return []
  if (request === undefined) return [`${sent} for ${claim.comment}, which asked for nothing`]
  const { ask, inputs } = request
  const needs = needsMore(inputs['min-permission'] ?? 'write', life.inputs['min-permission'] ?? 'none')
  const path = `/repos/${REPOSITORY}/collaborators/${encodeURIComponent(ask.sender)}/permission`
  const read = life.calls
    .slice(0, life.calls.indexOf(call))
    .findLast((one) => one.path === path && one.status === 200)
  if (needs === 'none' || ask.sender.endsWith('[bot]')) return []
  if (read === undefined) return [`${sent} before it knew what ${ask.sender} may do`]
  const may = mayAsk(ask.sender, needs, allowedBots(inputs), world.leftAt <= read.at)
  return may ? [] : [`${sent} for ${ask.sender}, who has no ${needs} permission`]
}

/** Its thread may be that of a request for another pull request. */
const OF_PULL = /^\/repos\/[^/]+\/[^/]+\/pulls\/(\d+)\b/
const OF_HEAD = /^\/repos\/[^/]+\/[^/]+\/(?:commits|statuses)\/([\da-f]{40})\b/
const OF_JOB = /^\/v1\/agent\/[^/]+\/job\/([^/]+)|^\/v2\/agent\/[^/]+\/job\/([^/]+)/

/** An event about checks has the sweep read and write what it names, and nothing of another pull request of the agent. */
const ofItsOwn: Rule = {
  promise: 'H3',
  name: 'an-event-is-of-its-own-pull-request',
  afterLife(history, life) {
    const { world, namedBySweeps } = history
    const names = namedBySweeps.get(life)
    if (names === undefined) return []
    const jobs = jobsBefore(history, life)
    const isOfAgent = agentPulls(world).some((number) => names.includes(number))
    // The list tells that nothing of the agent is named, unless a job works that has named no pull request yet.
    const { service } = world.emulator
    const isForgotten = world.messages.some(
      ({ jobId, at }) => at < life.bornAt && service.job(jobId) === undefined,
    )
    if (!isOfAgent && (names.length === 0 || (!isForgotten && jobs.every(({ isTold }) => isTold))))
      return life.calls
        .filter(({ method, path }) => !(method === 'GET' && LIST.test(path)) && !OF_ACCOUNT.includes(path))
        .map(({ method, path }) => `${life.name}, woken for nothing of the agent, sent ${method} ${path}`)
    const others = jobs.filter(({ number, isTold }) => isTold && !names.includes(Number(number)))
    return life.calls.flatMap(({ method, path }) => {
      const other = others.find(({ number, shas, jobId }) => [number, ...shas, jobId].includes(namedIn(path)))
      return other === undefined
        ? []
        : [`${life.name}, woken for #${names}, sent ${method} ${path}, which is of #${other.number}`]
    })
  },
}

const LIST = new RegExp(`^/repos/${REPOSITORY}/issues/comments\\b`)

/** Whose the token is: it tells whether a comment is the action's own. */
const OF_ACCOUNT: readonly string[] = ['/user', '/graphql']

const namedIn = (path: string): string => {
  const job = OF_JOB.exec(path)
  return OF_PULL.exec(path)?.[1] ?? OF_HEAD.exec(path)?.[1] ?? job?.[1] ?? job?.[2] ?? ''
}

/** The jobs of before the process began, and whether the records of all their requests had told the pull request. */
function jobsBefore(history: History, life: Life) {
  const { world } = history
  const { github, service } = world.emulator
  const before = service.jobs().filter(({ id, createdAt }) => {
    return id !== world.foreignJob && Date.parse(createdAt) < life.bornAt
  })
  return before.map(({ id, pullRequest }) => {
    const pull = pullOf(world, pullRequest ?? '')
    const told = tellingsOf(world, life.bornAt, `](${pullRequest})`)
    const asked = allSentBy(history, history.requests).filter(({ jobId, isFix }) => jobId === id && !isFix)
    const isTold =
      told.length > 0 &&
      asked.every(
        ({ request: { event }, thread, at }) =>
          // What people took out of a thread is told no more.
          (thread === undefined || !world.touched.has(thread)) &&
          told.some((one) => one.at > at && one.comment === commentOf(event.comment)),
      )
    const shas =
      pull === undefined ? [] : github.pull(pull.number, pull.repository).commits.map(({ sha }) => sha)
    return { jobId: id, number: String(pull?.number ?? ''), shas, isTold: pull !== undefined && isTold }
  })
}

/** When comments told of the link, and by whose comment they were asked. */
const tellingsOf = ({ lives }: World, until: number, link: string) =>
  lives.flatMap(({ calls }) =>
    calls.flatMap((call) => {
      const body = bodyOf(call)
      const isWritten = call.at < until && (call.status ?? 500) < 300 && body.includes(link)
      return isWritten ? { at: call.at, comment: recordedIn(body)?.comment } : []
    }),
  )

export const H3_OF_SWEEPS: readonly Rule[] = [stillMay, ofItsOwn]
