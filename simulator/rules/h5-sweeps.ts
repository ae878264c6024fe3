import { shownOf } from '../../emulator/github/checks.ts'
import { pageAt } from '../checks.ts'
import { lookAt } from '../fixes.ts'
import { bodyOf, pullOf } from '../history.ts'
import type { Call, Life } from '../life.ts'
import { withoutRecord } from '../records.ts'
import type { World } from '../world.ts'
import { complaints, type Rule } from './rule.ts'

// What a sweep says of checks is so.

/** GitHub's times are whole seconds, and a look takes some. */
const MARGIN_MS = 5000
/** CI may be queued for minutes before any of it shows. */
const NONE_MS = 10 * 60_000

const PASS = /\bits (\d+ )?checks? pass/i
const NONE = /\bit has no checks\b/i
const LINK = /\]\((https:\/\/github\.com\/octo\/(?:app|docs)\/pull\/\d{1,5})\)/

/** A comment of the sweep, and how it had looked at the checks before. */
function saidOf(world: World, life: Life, call: Call) {
  const words = withoutRecord(bodyOf(call)).replace(/<details>[\s\S]*<\/details>/, '')
  const pull = pullOf(world, LINK.exec(words)?.[1] ?? '')
  if (pull === undefined || !(PASS.test(words) || NONE.test(words))) return undefined
  const { github } = world.emulator
  const { commits } = github.pull(pull.number, pull.repository)
  const head = commits.findLast(({ at }) => Date.parse(at) <= call.at)?.sha ?? ''
  const before = life.calls.slice(0, life.calls.indexOf(call))
  // Beside what it says here, a sweep may read an earlier head for another thread.
  const ofHead = before.filter(({ path }) => path.includes(head))
  const look = lookAt(world, ofHead, pull) ?? lookAt(world, before, pull)
  if (look === undefined || pull.issue.state === 'closed') return undefined
  const commit = commits.find(({ sha }) => sha === look.sha)
  const checks = github.repo(pull.repository).checks.get(look.sha) ?? []
  return { words, number: pull.number, at: look.at, ageMs: look.at - Date.parse(commit?.at ?? ''), checks }
}

const sweepsSayWhatIsSo: Rule = {
  promise: 'H5',
  name: 'sweeps-say-what-is-so',
  afterLife({ world }, life) {
    if (life.role !== 'sweep') return []
    return life.calls.flatMap((call) => {
      const said = saidOf(world, life, call)
      if (said === undefined) return []
      const { words, number, at, ageMs, checks } = said
      const still = new Set(pageAt(checks, at).red.map(({ id }) => id))
      const [red] = pageAt(checks, at - MARGIN_MS).red.filter(({ id }) => still.has(id))
      const [shown] = (['run', 'status'] as const).flatMap((kind) => shownOf(checks, kind, at - MARGIN_MS))
      const isNone = NONE.test(words)
      return complaints(
        [
          !isNone && red !== undefined,
          `${life.name} says that checks of #${number} pass, and ${red?.name} is red`,
        ],
        [
          isNone && shown !== undefined,
          `${life.name} says that #${number} has no checks, beside ${shown?.name}`,
        ],
        [
          isNone && ageMs < NONE_MS - MARGIN_MS,
          `${life.name} says that #${number} has no checks, ${ageMs / 1000} s after the push`,
        ],
      )
    })
  },
}

export const H5_OF_SWEEPS: readonly Rule[] = [sweepsSayWhatIsSo]
