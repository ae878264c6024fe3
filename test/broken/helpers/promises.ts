import { isDeepStrictEqual } from 'node:util'
import { isPrompt, type Request } from '../../../simulator/history.ts'
import type { Call, Life } from '../../../simulator/life.ts'
import { mayAsk } from '../../../simulator/people.ts'
import type { Stage } from '../../../simulator/stage.ts'
import { ACTION_LOGIN, PULL, threadsOf, type World } from '../../../simulator/world.ts'
import { parseJson } from '../../../src/json.ts'

/**
 * The promises H1 to H7 of the contract, as people, later steps and the agent see them kept: in the thread, the outputs,
 * the log, the statuses, and what reaches the service. No record is read, so that its form is the action's own affair.
 * Reactions, labels, reviewers, links on other threads and the choice of words are not promised, and not looked at.
 */

/** What the same story comes to where nothing happens to it. */
export interface Plain {
  readonly outcome: string
  readonly reason: string
  /** What each head of the code's pull request says at last. */
  readonly states: Readonly<Record<string, string>>
  /** How many jobs there are, and how often checks that fail went back. */
  readonly jobs: number
  readonly fixes: number
}

export function plainOf(stage: Stage): Plain {
  const main = lastMain(stage)
  return {
    outcome: outputOf(main, 'outcome'),
    reason: outputOf(main, 'reason'),
    states: statesOf(stage.world),
    jobs: ownJobs(stage).length,
    fixes: fixesOf(stage),
  }
}

/** What one process breaks, when it is over. */
export function brokenBy(stage: Stage, life: Life, plain?: Plain): string[] {
  const { name, role, fate } = life
  const isOver = fate === 'ended'
  return [
    ...(fate === 'threw' || fate === 'hung' ? [`H7 ${name} ${fate}`] : []),
    ...(role !== 'main' && life.calls.some(isPrompt) ? [`H1 ${name} asks the agent`] : []),
    ...leaksOf(stage.world, life),
    ...greenOverRed(stage, life),
    ...(role === 'main' && isOver ? [...oddEnd(life), ...decidedByGitHub(life, plain)] : []),
    ...(isOver ? [...unnamedJobs(stage, life), ...unreportedEnd(stage, life)] : []),
  ]
}

/** What the whole story breaks, once others have come after the run. */
export function brokenIn(stage: Stage, plain: Plain): string[] {
  const { world, history } = stage
  const [last, fixes, states] = [lastMain(stage), fixesOf(stage), statesOf(world)]
  const jobs = ownJobs(stage).length
  const again = history.requests.flatMap((request) => asksOf(request).slice(1)).length
  const ends = [plain.outcome, ...(outputOf(last, 'reason') === 'no-changes' ? ['skipped'] : [])]
  return [
    ...history.requests.flatMap((request) => [...askedTwice(stage, request), ...askedByStranger(request)]),
    ...(jobs > plain.jobs + again ? [`H1 there are ${jobs} jobs instead of ${plain.jobs}`] : []),
    ...(fixes > plain.fixes ? [`H1 failures go back ${fixes} times instead of ${plain.fixes}`] : []),
    ...history.requests.flatMap((request) => lostIn(stage, request)),
    ...(isDeepStrictEqual(states, plain.states)
      ? []
      : [`H5 the heads say ${JSON.stringify(states)} instead of ${JSON.stringify(plain.states)}`]),
    ...(ends.includes(outputOf(last, 'outcome'))
      ? []
      : [`H7 the last run ends as ${outputOf(last, 'outcome')}, not as ${plain.outcome}`]),
  ]
}

// H1

/** The service says itself that it did not take it; a prompt without such an answer may have reached the agent. */
const isRefused = ({ status = 0, retryAfter, text }: Call): boolean =>
  text !== undefined && ((status >= 400 && status < 500) || (status === 503 && retryAfter !== undefined))

/** The whole answer came; what is cut off in the middle says nothing. */
const isAnswered = ({ status = 500, text }: Call): boolean =>
  status < 300 && parseJson(text ?? '') !== undefined

const asksOf = ({ runs, ask }: Request) =>
  runs.flatMap((run) =>
    run.main.calls
      .filter((call) => isPrompt(call) && call.body.includes(`${ask.id};`) && !isRefused(call))
      .map((call) => ({ attempt: run.attempt, call })),
  )

/** Only a person asks again, where a run said that nobody knows of a job, or where the job failed. */
function askedTwice({ world }: Stage, request: Request): string[] {
  const asks = asksOf(request)
  return asks.slice(1).flatMap(({ attempt }, n) => {
    const before = asks[n]
    if (before === undefined) return []
    const hasFailed = world.emulator.service.job(jobIdIn(before.call))?.status === 'failed'
    const saidSo = request.runs.some(
      (run) => run.attempt >= before.attempt && run.attempt < attempt && isUncertain(run),
    )
    const isWanted = attempt > before.attempt && (hasFailed || saidSo)
    return isWanted ? [] : [`H1 attempt ${before.attempt} asks, and attempt ${attempt} again`]
  })
}

const isUncertain = ({ main, post }: Request['runs'][number]): boolean =>
  outputOf(main, 'reason') === 'creation-uncertain' ||
  (post !== undefined && /not known whether/.test(post.log.text))

const ownJobs = ({ world }: Stage) =>
  world.emulator.service.jobs().filter(({ id }) => id !== world.foreignJob)

const fixesOf = (stage: Stage): number =>
  ownJobs(stage).flatMap(({ prompts }) => prompts.filter((prompt) => !/ask-\d+;/.test(prompt))).length

// H2

const jobIdIn = ({ text = '' }: Call): string => /"id":"([^"]+)"/.exec(text)?.[1] ?? ''

/** Whose process ended has named the jobs that it created, to later steps and in the thread. */
function unnamedJobs({ world, history }: Stage, { name, calls, footprint, role }: Life): string[] {
  const created = calls.filter((call) => isPrompt(call) && call.path.endsWith('/job') && isAnswered(call))
  const request = history.requests.find(({ runs }) => runs.some(({ main }) => main.calls === calls))
  return created
    .map(jobIdIn)
    .flatMap((id) => [
      ...(role === 'main' && footprint.outputs.get('job-id') !== id
        ? [`H2 ${name} does not name ${id}`]
        : []),
      ...(request?.thread === undefined || wasAway(calls) || mentions(world, request.thread, id)
        ? []
        : [`H2 #${request.thread} does not remember ${id} after ${name}`]),
    ])
}

/** Its last request to GitHub broke. */
const wasAway = (calls: readonly Call[]): boolean => {
  const last = calls.findLast(({ host }) => host === 'github')
  return last !== undefined && (last.status === undefined || last.status >= 400)
}

const bodiesIn = ({ emulator }: World, thread: number): string[] =>
  emulator.github.comments(thread).flatMap(({ user, body }) => (user.login === ACTION_LOGIN ? [body] : []))

/** In words, or in what is encoded for later runs. */
const mentions = (world: World, thread: number, id: string): boolean =>
  bodiesIn(world, thread).some(
    (body) =>
      body.includes(id) ||
      (body.match(/[\w-]{40,}/g) ?? []).some((text) => Buffer.from(text, 'base64url').includes(id)),
  )

const ENDED = /"status":"(completed|failed|archived)"/
const isReadOfJob = ({ host, method, path }: Call): boolean =>
  host === 'service' && method === 'GET' && /\/job\/[^/]+$/.test(path)

/** Who reads that a job opened a pull request, and is served by GitHub, leads to it from the thread. */
function unreportedEnd(stage: Stage, { name, calls, cancelledAt, footprint: { outputs } }: Life): string[] {
  if (wasAway(calls) || cancelledAt !== undefined || outputs.get('outcome') === 'error') return []
  const over = calls.filter((call) => isReadOfJob(call) && ENDED.test(call.text ?? ''))
  return ownJobs(stage).flatMap((job) => {
    const isRead = over.some(({ path }) => path.endsWith(`/${job.id}`))
    return isRead && !isLinked(stage, job) ? [`H2 no thread leads to ${job.prLink} after ${name}`] : []
  })
}

type Job = ReturnType<typeof ownJobs>[number]

/** The threads that asked for it lead to the job's pull request, if it has one. */
function isLinked({ world, history }: Stage, { prompts, prLink }: Job): boolean {
  const threads = history.requests
    .filter(({ ask }) => prompts.some((prompt) => prompt.includes(`${ask.id};`)))
    .flatMap(({ thread }) => thread ?? [])
  return !prLink || threads.every((thread) => bodiesIn(world, thread).some((body) => body.includes(prLink)))
}

/** The end of each job that a process knew has reached the thread, and nothing there says that it works. */
function lostIn(stage: Stage, { thread, name }: Request): string[] {
  const { world } = stage
  if (thread === undefined) return []
  const works = bodiesIn(world, thread).filter((body) => /is working\*\*/.test(body))
  // What a process heard right before its runner was lost, nobody knows.
  const isKnown = ({ id }: Job) =>
    world.lives.some(
      ({ fate, calls, footprint }) =>
        (fate === 'ended' && footprint.outputs.get('job-id') === id) ||
        calls.some(({ path }) => path.includes(`/job/${id}`)),
    )
  return [
    ...(works.length > 0 ? [`H2 #${thread} says of ${name} that the agent is working`] : []),
    ...ownJobs(stage)
      .filter((job) => isKnown(job) && !isLinked(stage, job))
      .map(({ prLink }) => `H2 no thread leads to ${prLink}`),
  ]
}

// H3

const isStrangers = ({ event, inputs }: Request): boolean =>
  event.accounts.some((login) => !mayAsk(login, inputs['min-permission'] ?? 'write', []))

function askedByStranger(request: Request): string[] {
  if (!isStrangers(request)) return []
  const { name, runs } = request
  const done = runs
    .flatMap(({ main, post }) => [...main.calls, ...(post?.calls ?? [])])
    .filter((call) => isPrompt(call) || (call.method === 'POST' && call.path.includes('/statuses/')))
  return done.map(({ method, path }) => `H3 ${name} is a stranger's: ${method} ${path}`)
}

// H4

const SECRETS = /test-key|test-token/
/** Stands in the body of the issue and of the pull request, and GitHub shows it to no one. */
export const HIDDEN = 'ignore all of that'

function leaksOf(world: World, { name, log, footprint, meant, calls }: Life): string[] {
  const shown = meant.filter((one) => one.name !== 'add-mask')
  const seen = {
    log: log.text,
    annotations: JSON.stringify(shown),
    outputs: JSON.stringify([...footprint.outputs]),
    summary: footprint.summary,
    threads: threadsOf(world)
      .flatMap((thread) => bodiesIn(world, thread))
      .join(),
  }
  return [
    ...Object.entries(seen).flatMap(([where, text]) =>
      SECRETS.test(text) ? [`H4 a secret is in the ${where} of ${name}`] : [],
    ),
    ...(calls.some((call) => isPrompt(call) && call.body.includes(HIDDEN))
      ? [`H4 ${name} sends what GitHub hides`]
      : []),
  ]
}

// H5

const statusesOf = ({ emulator }: World) => {
  const { github } = emulator
  const { head } = github.pull(PULL)
  return github.statuses(head.sha).filter(({ context }) => context === 'docs')
}

const statesOf = (world: World): Plain['states'] =>
  Object.fromEntries(statusesOf(world).map(({ context, state }) => [context, state]))

/** Where all checks fail, or the job did, nothing says success, unless a person says that nothing is to be documented. */
function greenOverRed({ world, history }: Stage, { name, footprint }: Life): string[] {
  const { checks } = world.story
  const isRed = (ofHead: (typeof checks)[number]) => ofHead.some(({ conclusion }) => conclusion === 'failure')
  const jobs = world.emulator.service.jobs().filter(({ id }) => id !== world.foreignJob)
  const latest = history.requests.at(-1)
  const isSkip = latest?.ask.event === 'skip' && !isStrangers(latest)
  const haveFailed = checks.length > 0 && checks.every(isRed)
  if (isSkip || !(haveFailed || jobs.at(-1)?.status === 'failed')) return []
  const praised = threadsOf(world).filter((thread) =>
    bodiesIn(world, thread).some((body) => /\bchecks? pass/.test(body)),
  )
  const isGreen = statusesOf(world).at(-1)?.state === 'success'
  return [
    ...(isGreen ? [`H5 the head says success after ${name}`] : []),
    ...(footprint.outputs.get('checks') === 'success' ? [`H5 the checks of ${name} are success`] : []),
    ...praised.map((thread) => `H5 #${thread} says after ${name} that checks pass`),
  ]
}

// H6

/** Once the agent was asked, the outcome is that of its job, whatever GitHub does. */
function decidedByGitHub({ name, calls, footprint }: Life, plain: Plain | undefined): string[] {
  const isAsked = calls.some((call) => isPrompt(call) && isAnswered(call))
  const isService = calls.some((call) => call.host === 'service' && !isAnswered(call))
  if (plain === undefined || !isAsked || isService) return []
  const outcome = footprint.outputs.get('outcome') ?? ''
  return outcome === plain.outcome ? [] : [`H6 ${name} ends as ${outcome}, not as ${plain.outcome}`]
}

// H7

const RED = /^(failed|error|cancelled|timed-out)$/
const GREEN = /^(pull-request|no-pull-request|archived|started|skipped)$/

/** One outcome with one reason, the colour that it has, and one sentence for it. */
function oddEnd({ name, red, footprint, meant, log }: Life): string[] {
  const { outputs, outcomes, summary } = footprint
  const [outcome = '', reason = ''] = [outputs.get('outcome'), outputs.get('reason')]
  const { result = '{}', ...rest } = Object.fromEntries(outputs)
  const errors = meant.filter((one) => one.name === 'error')
  const hasReason = /^(error|skipped)$/.test(outcome)
  return [
    ...((red ? RED : GREEN).test(outcome)
      ? []
      : [`H7 ${name} is ${red ? 'red' : 'green'} after "${outcome}"`]),
    ...(new Set(outcomes).size === 1 ? [] : [`H7 ${name} has the outcomes ${outcomes.join(', ')}`]),
    ...(hasReason === (reason !== '') ? [] : [`H7 ${name} gives ${outcome} the reason "${reason}"`]),
    ...(reason === 'internal' ? [`H7 ${name} met a fault of its own`] : []),
    ...(isDeepStrictEqual(JSON.parse(result), rest) ? [] : [`H7 the outputs of ${name} disagree`]),
    ...(errors.length === (red ? 1 : 0) ? [] : [`H7 ${name} has ${errors.length} errors`]),
    ...(summary !== '' || log.text.trim() !== '' ? [] : [`H7 ${name} says nothing`]),
  ]
}

const lastMain = ({ world }: Stage): Life | undefined => world.lives.findLast(({ role }) => role === 'main')

const outputOf = (life: Life | undefined, name: string): string => life?.footprint.outputs.get(name) ?? ''
