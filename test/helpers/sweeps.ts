import { expect } from 'vitest'
import { type ActionRun, type RunResult, runAction } from '../../emulator/runner.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { type Job, jobWithId } from '../../src/record/job.ts'
import type { ActionRecord, RequestIdentity } from '../../src/record/record.ts'
import { type SigningScope, signRecord } from '../../src/record/signed-record.ts'
import { IDENTITY, withJob } from '../record/helpers.ts'
import { BOT, ISSUE, signingOf, type World } from './world.ts'

export interface Asked extends Partial<ActionRun> {
  readonly on?: number
  readonly body?: string
  readonly turn?: Turn
}

/** The root action as a workflow has it that does not wait. */
export const rootRun = (
  emulator: World,
  event: ActionRun['event'],
  more: Partial<ActionRun> = {},
): ActionRun => emulator.given(event, { ...more, inputs: { wait: 'false', ...more.inputs } })

/** alice comments, and the job starts. @returns the comment's id and the job's */
export async function start(emulator: World, asked: Asked = {}) {
  const { on = ISSUE, body = '/docs explain', turn, ...more } = asked
  const said = emulator.say(body, { on })
  if (turn !== undefined) emulator.service.script.push(turn)
  const result = await runAction(rootRun(emulator, said, more))
  expect(result.outputs.outcome, result.log).toBe('started')
  return { id: said.id, job: result.outputs['job-id'] ?? '', said }
}

interface Counts {
  readonly finished?: number
  readonly active?: number
  readonly failed?: number
}

export function expectCounts(result: RunResult, { finished = 0, active = 0, failed = 0 }: Counts): void {
  const { exitCode, fileErrors, outputs } = result
  const counts = [outputs.finished, outputs.active, outputs.failed].map(Number)
  expect({ exitCode, fileErrors, counts }, result.log).toEqual({
    exitCode: 0,
    fileErrors: [],
    counts: [finished, active, failed],
  })
}

export const resultOf = ({ outputs }: RunResult): unknown => JSON.parse(outputs.result ?? 'null')

/** Reads of jobs. */
export const reads = (emulator: World): string[] =>
  emulator.calls('service').filter((call) => call.startsWith('GET '))

/** A record that sweeps look at, or one of any other state. */
interface Recorded extends Partial<Omit<RequestIdentity, 'requestDigest'>> {
  readonly requestDigest?: string
  readonly state?: ActionRecord['state']
  readonly jobId?: string
  /** As the run last read it. */
  readonly job?: Partial<Job>
  readonly messagedAt?: number
  readonly writtenAt?: number
}

interface Planted extends Recorded {
  readonly on?: number
  /** Who posts the comment. */
  readonly login?: string
  readonly turn?: Turn
}

let plantedSoFar = 0

/** A job that is open in a thread, without a run that started it. @returns its id */
export async function plant(emulator: World, planted: Planted = {}): Promise<string> {
  const { on = ISSUE, login = BOT, turn = { reads: 0 }, ...more } = planted
  const { github, service, serviceUrl, settings } = emulator
  if (!github.repository(settings.repository)?.issues.has(on)) github.addIssue({ number: on })
  service.script.push(turn)
  const response = await emulator.fetch(`${serviceUrl}/v2/agent/docs/job`, {
    method: 'POST',
    headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'explain' }),
  })
  const { id: jobId } = (await response.json()) as { id: string }
  plantedSoFar += 1
  const at = settings.now() - 60_000
  const recorded = { requestDigest: `key-${plantedSoFar}`, jobId, requestedAt: at, writtenAt: at, ...more }
  const body = statusBody(recorded, signingOf(on))
  github.addComment(on, { login, body })
  emulator.clearRequests()
  return jobId
}

/** A status comment with this record. */
export function statusBody({ jobId = '', job, ...more }: Recorded, signing: SigningScope): string {
  const then = Date.now() - 60_000
  const record = {
    ...IDENTITY,
    ...{
      requestDigest: 'key',
      attempt: '9000001.1',
      comment: '',
      attemptsDigest: '',
      requestedAt: then,
      writtenAt: then,
    },
    ...{ ...withJob(jobId), state: 'running', leaseMs: 0 },
    job: { ...jobWithId(jobId), status: 'active', ...job },
    ...more,
  } as unknown as ActionRecord
  return `**⏳ The docs agent is working**\n\n${signRecord(record, signing)}`
}
