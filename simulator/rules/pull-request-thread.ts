import { asObject, asString } from '../../src/json.ts'
import {
  askedBy,
  type History,
  livesOf,
  outcomeOf,
  type Recorded,
  type Request,
  reasonOf,
  recordedIn,
  replacingId,
} from '../history.ts'
import { wordsOf } from '../records.ts'
import { canRemember, couldReport, sinceSkip, strangersOf } from '../truth.ts'
import { ACTION_LOGIN, PULL } from '../world.ts'
import type { Rule } from './rule.ts'

/** The requests in the thread of the code; undefined where a process of it could not do all that it had to. */
function fairRequests(history: History): readonly Request[] | undefined {
  const asked = history.requests.filter(({ thread }) => thread === PULL)
  const lives = [...asked.flatMap(livesOf), ...history.sweeps]
  const isFair =
    asked.every((request) => canRemember(history, request)) &&
    lives.every((life) => couldReport(history.world, life))
  return isFair ? asked : undefined
}

/** What a person said of the changes stays until somebody asks again, whoever pushes what (3.2). */
export const skipStands: Rule = {
  name: 'skip-stands',
  clause: '3.2, 3.4, 3.13',
  afterSweep(history) {
    const { world } = history
    const { github } = world.emulator
    const { sha } = github.pull(PULL).head
    const since = fairRequests(history) === undefined ? [] : sinceSkip(history, PULL)
    const isInForce =
      since.length > 0 && since.every(({ runs }) => outcomeOf(runs.at(-1)?.main) === 'skipped')
    const came = since.some(
      (request) =>
        request.event.code?.sha === sha &&
        request.inputs['commit-status'] !== undefined &&
        (hasSaid(request) || strangersOf(request).some((login) => login.endsWith('[bot]'))),
    )
    const isOpen = github.issue(PULL).state === 'open' && world.story.permissions.statuses === 'write'
    if (!isInForce || !came || !isOpen) return []
    const { state = 'none', description = '' } = github.statuses(sha).at(-1) ?? {}
    return state === 'success' && description.startsWith('Skipped by ')
      ? []
      : [`the head of #${PULL} is ${state} (${description}) after ${since[0]?.name} skipped it`]
  },
}

const hasSaid = ({ runs }: Request): boolean => reasonOf(runs.at(-1)?.main) === 'docs-skipped'

/**
 * Of the events of one step that nobody used a command for, people see the result of one, or those of each call of a
 * workflow in its run (5.2), and a line for each of the others (3.13).
 */
export const oneWholeComment: Rule = {
  name: 'one-whole-comment',
  clause: '3.13',
  afterSweep(history) {
    if (fairRequests(history) === undefined) return []
    const whole = recordedIn(history.world, PULL).filter(
      (comment) =>
        comment.author === ACTION_LOGIN &&
        stepOf(comment) !== '' &&
        comment.record.kind !== 'link' &&
        replacingId(comment.body) === undefined &&
        wordsOf(comment.body).trim().includes('\n') &&
        // What still works has no result, for as long as it may take.
        !wordsOf(comment.body).startsWith('**⏳'),
    )
    return [...Map.groupBy(whole, stepOf).values()]
      .filter((comments) => new Set(comments.map((one) => askedBy(history, one))).size > 1)
      .map((comments) => `#${PULL} has the results ${comments.map(({ id }) => id).join(', ')} of one step`)
  },
}

const stepOf = ({ record }: Recorded): string => asString(asObject(record.payload.head).step)
