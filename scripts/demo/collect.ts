import { fileURLToPath } from 'node:url'
import { styleText } from 'node:util'
import type { Emulator } from '../../emulator/emulator.ts'
import type { RunResult } from '../../emulator/runner.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { comment } from './payload.ts'
import { heading, logLine, say, showSummary, showThread } from './screen.ts'
import type { Stage, Story } from './stage.ts'

const ROOT = fileURLToPath(new URL('../../action.yml', import.meta.url))
const COLLECT = fileURLToPath(new URL('../../collect/action.yml', import.meta.url))
const REPOSITORY = 'octo/app'
/** The agent writes in a repository of its own: the thread is where its pull request is told of. */
const DOCS = 'octo/docs'
const FIRST_SWEEP = 9_000_101

interface Request {
  readonly issue: number
  readonly title: string
  readonly body: string
  readonly turn: Turn
}

/** Three jobs that nobody waits for: two that end soon, and one that takes longer than the first sweep. */
const REQUESTS: readonly Request[] = [
  { issue: 12, title: 'Retries', body: '/docs explain the new retry option', turn: { durationMs: 500 } },
  {
    issue: 13,
    title: 'Old changelog',
    body: '/docs remove what is out of date',
    turn: { durationMs: 500, ending: 'failed' },
  },
  { issue: 14, title: 'Webhooks', body: '/docs list all webhooks', turn: { durationMs: 3_500 } },
]

/** Starts three jobs without waiting, and collects them in two sweeps. @returns what is wrong, or '' */
export async function showCollect(stage: Stage): Promise<string> {
  const story = await stage.begin('Jobs that nobody waits for', {
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
    wrong.push(await sweep(0, 'A sweep, some minutes later', ['2', '1', '0']))
    for (const { issue } of REQUESTS) showThread(emulator.github, REPOSITORY, issue)
    await until(emulator, 3)
    wrong.push(await sweep(1, 'The next sweep', ['1', '0', '0']))
    showThread(emulator.github, REPOSITORY, 14)
    wrong.push(await sweep(2, 'And one more, which finds nothing to do', ['0', '0', '0']))
    return wrong.filter(Boolean).join('; ')
  } finally {
    await emulator.close()
  }
}

async function start(stage: Stage, story: Story, { issue, title, body, turn }: Request): Promise<string> {
  const { emulator } = story
  const said = `alice writes on issue ${issue}: ${body}`
  heading(said)
  emulator.github.addIssue({ number: issue, title })
  emulator.service.script.push(turn)
  const from = performance.now()
  const run = {
    action: ROOT,
    event: comment(emulator, { issue, login: 'alice', body }),
    inputs: { ...access(emulator), wait: 'false' },
    runId: 9_000_000 + issue,
    onLog: logLine,
  }
  const result = await stage.run(story, said, run, { repository: REPOSITORY, number: issue })
  say(`  The runner is free again after ${seconds(from)}.`)
  const { outcome } = result.outputs
  return result.exitCode === 0 && outcome === 'started' ? '' : `issue ${issue} ended as "${outcome}"`
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
    action: COLLECT,
    event: { name: 'schedule', payload: {} },
    inputs: access(story.emulator),
    runId,
    onLog: logLine,
  })
  say(`  The sweep took ${seconds(from)}.`)
  showSummary(result.summary)
  const counts = countsOf(result)
  return result.exitCode === 0 && counts.join() === expected.join()
    ? ''
    : `"${title}" counted ${counts.join()}, not ${expected.join()}`
}

const countsOf = ({ outputs }: RunResult): string[] =>
  ['finished', 'active', 'failed'].map((name) => outputs[name] ?? '')

const access = ({ settings }: Emulator) => ({ 'project-id': settings.projectId, 'api-key': settings.apiKey })

/** Waits until so many jobs have ended. */
async function until({ service, settings }: Emulator, ended: number): Promise<void> {
  say()
  say(styleText('dim', '  … the agent works, and no runner waits …'))
  for (;;) {
    service.tick()
    if (service.jobs().filter(({ status }) => status !== 'active').length >= ended) return
    await settings.sleep(100)
  }
}

const seconds = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`
