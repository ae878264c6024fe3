import { pageAt } from '../checks.ts'
import {
  bodyOf,
  canRemember,
  fieldsOf,
  type History,
  pullOf,
  type Request,
  strangersOf,
  textOf,
} from '../history.ts'
import { endOfLatest } from '../latest.ts'
import type { Call, Life } from '../life.ts'
import { withoutRecord } from '../records.ts'
import { headAt, PULL, type World } from '../world.ts'
import { complaints, type Rule } from './rule.ts'

/** What is known within this many ms is known at once: GitHub's times are whole seconds. */
const MARGIN_MS = 2000

const READS = /^\/repos\/([^/]+\/[^/]+)\/commits\/([\da-f]{40})\/check-runs\b/
const SETS = /\/statuses\/[\da-f]{40}$/

/** How the process looked last at the checks of the docs' pull request, if that is open. */
function lastLook(world: World, { footprint, calls }: Life) {
  const pull = pullOf(world, footprint.outputs.get('pr-link') ?? '')
  const last = calls.findLast(({ path, status = 500 }) => status < 400 && READS.test(path))
  if (pull === undefined || last === undefined || pull.issue.state === 'closed') return undefined
  const [, , sha = ''] = READS.exec(last.path) ?? []
  const checks = world.emulator.github.repo(pull.repository).checks.get(sha) ?? []
  return { number: pull.number, at: last.at, sha, checks }
}

/** Who reads that checks pass, in thread, outputs or the status of the code, finds no red cross on the page of the docs. */
const greenOverRed: Rule = {
  promise: 'H5',
  name: 'no-green-over-red',
  afterMain({ world, life }) {
    const look = lastLook(world, life)
    if (look === undefined) return []
    const still = new Set(pageAt(look.checks, look.at).red.map(({ id }) => id))
    const red = pageAt(look.checks, look.at - MARGIN_MS).red.filter(({ id }) => still.has(id))
    const sent = life.calls.filter(({ method, at }) => method !== 'GET' && at >= look.at)
    const isGreen = ({ path, body }: Call) => {
      const { state, target_url: link } = SETS.test(path) ? fieldsOf(body) : {}
      return state === 'success' && textOf(link).endsWith(`/pull/${look.number}`)
    }
    const is = `${life.name} is green over #${look.number}, where ${red[0]?.name} is red, in its`
    return complaints(
      [red.length > 0 && life.footprint.outputs.get('checks') === 'success', `${is} outputs`],
      [red.length > 0 && sent.some((call) => PASS.test(wordsOf(bodyOf(call)))), `${is} thread`],
      [red.length > 0 && sent.some(isGreen), `${is} commit status`],
    )
  },
}

const PASS = /\bits (\d+ )?checks? pass/i

/** Without the request that it echoes. */
const wordsOf = (body: string): string => withoutRecord(body).replace(/<details>[\s\S]*<\/details>/, '')

/** `checks` says nothing that GitHub's page denies, of the newest head. */
const checksTrue: Rule = {
  promise: 'H5',
  name: 'checks-true',
  afterMain({ world, life }) {
    const said = life.footprint.outputs.get('checks') ?? ''
    const look = lastLook(world, life)
    if (look === undefined || !['success', 'none'].includes(said)) return []
    const { number, at, sha, checks } = look
    const page = pageAt(checks, at - MARGIN_MS, world.story.permissions.actions === 'read')
    const [open] = page.withoutVerdict
    const before = headAt(world, number, at - MARGIN_MS)
    const isMoved = before !== '' && before !== sha && headAt(world, number, at) !== sha
    const is = `${life.name} says "${said}" of #${number}`
    return complaints(
      [open !== undefined, `${is}, and ${open?.name} has no verdict`],
      [isMoved, `${is}, of a head that was replaced`],
    )
  },
}

/** The status of a head is that of the latest request about it, or about these changes. */
const latestDecides: Rule = {
  promise: 'H5',
  name: 'latest-decides',
  // What is not said yet, a sweep says; but nothing is green in between.
  afterMain: ({ history, world }) =>
    world.lives.every(({ fate }) => fate) ? statusComplaints(history, ['success']) : [],
  afterSweeps: (history) => statusComplaints(history, ['success', 'failure', 'error', 'pending', 'none']),
}

/** What a status may say, by how the latest request ended. What people archive says nothing of that. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  skipped: ['success'],
  'at work': ['failure', 'error', 'pending', 'none'],
  failed: ['failure', 'error'],
  archived: ['failure', 'error'],
  completed: ['success'],
}

/** @param looked the states that are looked at */
function statusComplaints(history: History, looked: readonly string[]): string[] {
  const { world } = history
  const { github } = world.emulator
  const { head, files } = github.pull(PULL)
  const { requests } = history
  // Others cannot know of a request that writes no comments.
  const isKnown = requests.every((one) => one.inputs['commit-status'] !== 'docs' || canRemember(history, one))
  const isOpen = world.story.permissions.statuses === 'write' && github.issue(PULL).state === 'open'
  const asked = requests.filter((request) => request.thread === PULL && hasStatus(history, request))
  // No run has been there for a head of which no event told, and none that lived to say anything.
  const isTold = asked.some(
    ({ event, runs }) => event.head === head.sha && runs.some(({ main }) => saidAny(main)),
  )
  if (!isKnown || !isOpen || !isTold || world.touched.has(PULL)) return []
  const names = files.map(({ filename }) => filename)
  const ended = endOfLatest(history, asked, names)
  const own = github.statuses(head.sha).filter(({ context }) => context === 'docs')
  const { state = 'none', description = '' } = own.at(-1) ?? {}
  const isRight = !looked.includes(state) || STATES[ended]?.includes(state) !== false
  return isRight ? [] : [`the head of #${PULL} is ${state} (${description}), and the latest is ${ended}`]
}

const saidAny = ({ fate, cancelledAt, calls }: Life): boolean =>
  (fate === 'ended' && cancelledAt === undefined) || calls.some(({ method }) => method !== 'GET')

const hasStatus = (history: History, request: Request): boolean =>
  request.inputs['commit-status'] === 'docs' &&
  // A push is about no head of a pull request.
  request.event.name !== 'push' &&
  strangersOf(request).length === 0 &&
  canRemember(history, request)

export const H5: readonly Rule[] = [greenOverRed, checksTrue, latestDecides]
