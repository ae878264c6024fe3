import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import * as toolkit from '@actions/core'
import { type Core, cancellation, type Deps } from './base/deps.ts'
import { messageOf } from './base/errors.ts'
import { asObject } from './base/json.ts'
import { logLine } from './base/text.ts'
import { branchOf, defaultBranchOf, type Runner } from './event/trigger.ts'
import { proxyFetch } from './http/fetch.ts'

/** Node's timers take no longer time than this, in ms, and warn of one below 0. */
const LONGEST_SLEEP = 2 ** 31 - 1

/** The dependencies of a real step. The first SIGINT or SIGTERM cancels it. */
export function processDeps(env: NodeJS.ProcessEnv): Deps {
  const canceller = cancellation((ms) => wait(ms, undefined, { ref: false }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => canceller.cancel())
  return {
    core,
    fetch: proxyFetch(env),
    cancellation: canceller,
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: (ms, signal) => wait(Math.min(Math.max(ms, 0), LONGEST_SLEEP), undefined, signal && { signal }),
    random: () => randomInt(2 ** 32) / 2 ** 32,
  }
}

/** `core.info` prints a line that begins with `::` as it is, and the runner obeys it. */
const info = (line: string): void => toolkit.info(logLine(line))

/** `core.setOutput` and `core.saveState` throw where their file is missing; the rest of the report must still come. */
function tolerant(write: (name: string, value: string) => void): (name: string, value: string) => void {
  return (name, value) => {
    try {
      write(name, value)
    } catch (error) {
      info(`${name} could not be written (${messageOf(error)}).`)
    }
  }
}

export const core: Core = {
  ...toolkit,
  info,
  setOutput: tolerant(toolkit.setOutput),
  saveState: tolerant(toolkit.saveState),
  async setSummary(markdown) {
    try {
      await toolkit.summary.emptyBuffer().addRaw(markdown).write({ overwrite: true })
    } catch (error) {
      info(`The step summary could not be written (${messageOf(error)}).`)
    }
  },
}

export async function readRunner(env: NodeJS.ProcessEnv): Promise<Runner> {
  // It parses the event file when it is first loaded, and throws where it is broken.
  const { context } = await import(/* webpackMode: "eager" */ '@actions/github')
  const payload = asObject(context.payload)
  const [owner = '', repo = ''] = (env.GITHUB_REPOSITORY ?? '').split('/')
  return {
    eventName: env.GITHUB_EVENT_NAME ?? '',
    payload,
    repository: { owner, repo },
    repositoryId: Number(env.GITHUB_REPOSITORY_ID) || Number(asObject(payload.repository).id) || 0,
    runId: context.runId || 0,
    runAttempt: context.runAttempt || 1,
    workflow: context.workflow ?? '',
    workflowJob: context.job ?? '',
    stepId: context.action ?? '',
    branch: branchOf(env.GITHUB_REF ?? '') || defaultBranchOf({ payload }),
    actor: context.actor ?? '',
    triggeringActor: env.GITHUB_TRIGGERING_ACTOR ?? '',
    workspace: env.GITHUB_WORKSPACE || '.',
    serverUrl: (context.serverUrl || 'https://github.com').replace(/\/+$/, ''),
    apiUrl: (context.apiUrl || 'https://api.github.com').replace(/\/+$/, ''),
  }
}
