import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { type Emulator, startEmulator } from '../../emulator/emulator.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { type ActionRun, type RunningAction, type RunResult, startAction } from '../../emulator/runner.ts'
import { OUTPUTS } from '../../src/run/outputs.ts'

export const ACTION = fileURLToPath(new URL('../../action.yml', import.meta.url))
export const ISSUE = 12
export const CREATE = { host: 'service', method: 'POST', path: /\/job$/ } as const
export const READ = { host: 'service', method: 'GET', path: /\/job\/[^/]+$/ } as const

/** The service and GitHub behind a socket, until the test ends: octo/app with issue 12, on which alice may write. */
export async function emulate(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options)
  onTestFinished(() => emulator.close())
  emulator.github.setPermission('alice', 'write')
  emulator.github.addIssue({ number: ISSUE, title: 'Retries', user: 'carol' })
  return emulator
}

/** An event without a thread. */
export const DISPATCH = { name: 'workflow_dispatch', payload: { sender: { login: 'alice', type: 'User' } } }

/** Alice comments on the issue; the event that GitHub makes of it. */
export function commented(emulator: Emulator, body: string): ActionRun['event'] {
  const alice = { login: 'alice', type: 'User' }
  const { id } = emulator.github.addComment(ISSUE, { login: 'alice', body })
  const issue = { number: ISSUE, title: 'Retries', html_url: 'https://github.com/octo/app/issues/12' }
  return {
    name: 'issue_comment',
    payload: { action: 'created', issue, comment: { id, body, user: alice }, sender: alice },
  }
}

type More = Partial<ActionRun>

/** A run of the bundle that polls quickly. The runner knows no secret but the token: the action masks its own. */
export function start(emulator: Emulator, more: More = {}): RunningAction {
  const inputs = {
    'project-id': 'docs',
    'api-key': 'test-key',
    prompt: 'Explain retries',
    'poll-interval-seconds': '0.05',
    ...more.inputs,
  }
  return startAction({ action: ACTION, event: DISPATCH, post: 'if-needed', ...more, emulator, inputs })
}

export async function act(emulator: Emulator, more: More = {}): Promise<RunResult> {
  return sound(await start(emulator, more).done, emulator)
}

/** A run that a comment of Alice's sets off. */
export const answer = (emulator: Emulator, body: string, more: More = {}): Promise<RunResult> =>
  act(emulator, { ...more, event: commented(emulator, body), inputs: { prompt: '', ...more.inputs } })

/** What holds however a run ends: 2.4, 6.3, and the names and forms of the outputs (2). */
export function sound(result: RunResult, emulator: Emulator): RunResult {
  for (const step of [result, ...(result.post === undefined ? [] : [result.post])]) {
    const { log, outputs, summary, state, annotations, commands, fileErrors } = step
    const shown = JSON.stringify([log, outputs, summary, state, annotations])
    expect(shown).not.toMatch(/test-key|test-token/)
    expect(log, 'no stack').not.toMatch(/^\s+at .*\d+:\d+\)?$/m)
    expect(fileErrors).toEqual([])
    for (const { name } of commands) expect(name).toMatch(/^(add-mask|error|warning|debug)$/)
    for (const name of Object.keys(outputs)) expect([...OUTPUTS, 'result']).toContain(name)
    for (const value of Object.values(outputs)) expect(value).not.toMatch(/[\r\n]/)
  }
  const { result: all, ...rest } = result.outputs
  if (all !== undefined) expect(JSON.parse(all)).toEqual(rest)
  const said = emulator.github.comments(ISSUE).map(({ body }) => body)
  expect(said.join('\n')).not.toMatch(/test-key|test-token/)
  return result
}

/** The comments of the action on the issue. */
export const told = (emulator: Emulator): string[] =>
  emulator.github
    .comments(ISSUE)
    .filter(({ user }) => user.login === 'github-actions[bot]')
    .map(({ body }) => body)

export const errorsOf = ({ annotations }: RunResult): string[] =>
  annotations.filter(({ level }) => level === 'error').map(({ message }) => message)

/** `POST /v2/…`, one for each request that the service got. */
export const asked = (emulator: Emulator): string[] =>
  emulator.requests.filter(({ host }) => host === 'service').map(({ method, path }) => `${method} ${path}`)
