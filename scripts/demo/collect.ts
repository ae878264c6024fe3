import { styleText } from 'node:util'
import type { Emulator } from '../../emulator/emulator.ts'
import type { NewIssue } from '../../emulator/github/new.ts'
import type { RunResult } from '../../emulator/runner.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { ACTIONS, access } from './actions.ts'
import { EXPLAINED, ISSUE, WEBHOOKS } from './changes.ts'
import { comment } from './payload.ts'
import { heading, logLine, say, showSummary, showThread } from './screen.ts'
import type { Stage, Story } from './stage.ts'

const REPOSITORY = 'octo/app'
/** The docs are in a repository of their own, so that the result shows in the thread alone. */
const DOCS = 'octo/docs'
const FIRST_SWEEP = 9_000_101

interface Request {
  readonly issue: NewIssue & { readonly number: number }
  readonly body: string
  readonly turn: Turn
}

/** Three jobs: two end before the first sweep, one after it. */
const REQUESTS: readonly Request[] = [
  {
    issue: ISSUE,
    body: '/docs explain the new retry option',
    turn: { durationMs: 500, change: EXPLAINED },
  },
  {
    issue: { number: 13, title: 'The changelog mentions versions that are gone' },
    body: '/docs remove what is out of date',
    turn: { durationMs: 500, ending: 'failed' },
  },
  {
    issue: { number: 14, title: 'Some webhooks are missing' },
    body: '/docs list all webhooks',
    turn: { durationMs: 6_000, change: WEBHOOKS },
  },
]

/** Starts three jobs without waiting, and collects them in two sweeps. @returns what is wrong, or '' */
export async function showCollect(stage: Stage): Promise<string> {
  const story = await stage.begin('Jobs that no runner waits for', {
    repository: REPOSITORY,
    docsRepository: DOCS,
  })
  const { emulator } = story
  const sweep = (run: number, title: string, expected: readonly string[]) =>
    collect(stage, story, { runId: FIRST_SWEEP + run, title, expected })
  try {
    emulator.github.setPermission('alice', 'write')
    const wrong = []
    for (const request of REQUESTS) wrong.push(await start(stage, story, request))
    await until(emulator, 2)
    wrong.push(await sweep(0, 'The first run of collect, some minutes later', ['2', '1', '0']))
    for (const { issue } of REQUESTS) showThread(emulator.github, REPOSITORY, issue.number)
    await until(emulator, 3)
    wrong.push(await sweep(1, 'The second run', ['1', '0', '0']))
    showThread(emulator.github, REPOSITORY, 14)
    wrong.push(await sweep(2, 'The third run, which finds nothing to do', ['0', '0', '0']))
    return wrong.filter(Boolean).join('; ')
  } finally {
    await emulator.close()
  }
}

async function start(stage: Stage, story: Story, { issue, body, turn }: Request): Promise<string> {
  const { emulator } = story
  const { number } = issue
  const title = `alice writes on issue ${number}: ${body}`
  heading(title)
  emulator.github.addIssue(issue)
  emulator.service.script.push(turn)
  const from = performance.now()
  const run = {
    action: ACTIONS.root,
    event: comment(emulator, { issue: number, login: 'alice', body }),
    inputs: { ...access(emulator), wait: 'false' },
    runId: 9_000_000 + number,
    onLog: logLine,
  }
  const result = await stage.run(story, title, run, { repository: REPOSITORY, number })
  say(`  The runner is free again after ${seconds(from)}.`)
  const { outcome } = result.outputs
  return result.exitCode === 0 && outcome === 'started' ? '' : `issue ${number} ended as "${outcome}"`
}

interface Sweep {
  readonly runId: number
  readonly title: string
  /** Finished, active and failed jobs. */
  readonly expected: readonly string[]
}

async function collect(stage: Stage, story: Story, { runId, title, expected }: Sweep): Promise<string> {
  heading(title)
  const from = performance.now()
  const result = await stage.run(story, title, {
    action: ACTIONS.collect,
    event: { name: 'schedule', payload: {} },
    inputs: access(story.emulator),
    runId,
    onLog: logLine,
  })
  say(`  It took ${seconds(from)}.`)
  showSummary(result.summary)
  const counts = countsOf(result)
  return result.exitCode === 0 && counts.join() === expected.join()
    ? ''
    : `"${title}" counted ${counts.join()}, not ${expected.join()}`
}

const countsOf = ({ outputs }: RunResult): string[] =>
  ['finished', 'active', 'failed'].map((name) => outputs[name] ?? '')

/** Waits until so many jobs have ended. */
async function until({ service, settings }: Emulator, ended: number): Promise<void> {
  say()
  say(styleText('dim', '  … the agent works, no runner waits …'))
  for (;;) {
    service.tick()
    if (service.jobs().filter(({ status }) => status !== 'active').length >= ended) return
    await settings.sleep(100)
  }
}

const seconds = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`
