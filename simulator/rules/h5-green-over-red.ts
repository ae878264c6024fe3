import { pageAt } from '../checks.ts'
import { bodyOf, fieldsOf, pullOf, textOf } from '../history.ts'
import type { Call, Life } from '../life.ts'
import { withoutRecord } from '../records.ts'
import { headAt, type World } from '../world.ts'
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

export const H5: readonly Rule[] = [greenOverRed, checksTrue]
