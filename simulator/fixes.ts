import { bodyOf, type History, isPrompt, promptIn, pullOf, type Request } from './history.ts'
import type { Call, Life } from './life.ts'
import { type Claimed, recordedIn } from './records.ts'
import type { World } from './world.ts'

// What fails of the agent's pull requests, and goes back to it.

/** One message with failures that has reached the agent. */
export interface Fix {
  readonly life: Life
  readonly call: Call
  readonly jobId: string
  readonly at: number
  /** The head that fails; '' where the process has read no checks of it. */
  readonly sha: string
  /** Written by the same process right before it. */
  readonly claim: Claimed | undefined
  /** The request that it goes out for; undefined where its record names no comment that asked. */
  readonly request: Request | undefined
}

/** A message of failures, and no request of a person. */
export const isFix = (call: Call): boolean =>
  isPrompt(call) &&
  call.path.endsWith('/message') &&
  /^(Checks|The branch) of your pull request /.test(promptIn(call))

/** In order. */
export const fixesOf = (history: History): readonly Fix[] =>
  history.world.messages
    .filter(({ call }) => isFix(call))
    .map(({ life, call, jobId, at }) => {
      const claim = claimBefore(life, call, jobId)
      const request =
        life.role === 'sweep'
          ? history.requests.find(({ event }) => commentOf(event.comment) === claim?.comment)
          : history.requests.find(({ runs }) => runs.some(({ main }) => main === life))
      return { life, call, jobId, at, sha: headBefore(history.world, life, call, jobId), claim, request }
    })

/** As records name it. */
export const commentOf = (comment: Request['event']['comment']): string =>
  comment === undefined ? 'none' : `${comment.kind}:${comment.id}`

function claimBefore({ calls }: Life, call: Call, jobId: string): Claimed | undefined {
  const before = calls.slice(0, calls.indexOf(call)).flatMap((one) => recordedIn(bodyOf(one)) ?? [])
  return before.findLast((one) => one.jobId === jobId)
}

const READS = /^\/repos\/([^/]+\/[^/]+)\/commits\/([\da-f]{40})\/check-runs\b/

/** The last reading of checks of a head of the pull request. */
export function lookAt(
  { emulator: { github } }: World,
  calls: readonly Call[],
  pull: { readonly number: number; readonly repository: string },
): { readonly sha: string; readonly at: number } | undefined {
  const heads = new Set(github.pull(pull.number, pull.repository).commits.map(({ sha }) => sha))
  return calls
    .filter(({ path, status = 500 }) => status < 400 && READS.test(path))
    .map(({ path, at }) => ({ at, repository: READS.exec(path)?.[1], sha: READS.exec(path)?.[2] ?? '' }))
    .findLast(({ sha, repository }) => repository === pull.repository && heads.has(sha))
}

function headBefore(world: World, { calls }: Life, call: Call, jobId: string): string {
  const pull = pullOf(world, world.emulator.service.job(jobId)?.pullRequest ?? '')
  return (pull && lookAt(world, calls.slice(0, calls.indexOf(call)), pull)?.sha) ?? ''
}

/** How often an input lets failures go back. */
export const fixAttemptsOf = (inputs: Request['inputs']): number => Number(inputs['fix-attempts'] ?? 0)
