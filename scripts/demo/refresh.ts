import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunResult } from '../../emulator/runner.ts'
import { ACTIONS, access } from './actions.ts'
import { type Clock, settableClock } from './clock.ts'
import { difference } from './conversation.ts'
import { heading, logLine, say, showSummary, showThread } from './screen.ts'
import { PAGES, readersOf } from './site.ts'
import type { Stage, Story, ThreadName } from './stage.ts'
import { WEEKS, type Week } from './weeks.ts'
import { evaluate, type Step, stepsOf } from './workflow.ts'

const EXAMPLE = 'weekly-refresh.yml'
const REPOSITORY = 'octo/app'
const FIRST_NUMBER = 31
/** The emulator numbers the agent's pull requests from here. */
const FIRST_OF_AGENT = 77
const FIRST_RUN = 9_000_401
const WORK_MS = 1_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
/** The hour of the example's schedule. */
const START_MS = 6 * HOUR_MS + 17 * 60_000

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

/** Runs the steps of the example on the last four Mondays. @returns what is wrong, or '' */
export async function showRefresh(stage: Stage): Promise<string> {
  const clock = settableClock()
  const monday = lastMonday(clock.now())
  const options = { repository: REPOSITORY, docsRepository: REPOSITORY, now: clock.now }
  const story = await stage.begin('A month of weekly refreshes', options)
  story.emulator.service.site = { rows: PAGES.length, paths: PAGES }
  say()
  say(`  The steps of examples/${EXAMPLE}. Each run has the date of its Monday.`)
  try {
    for (const [at, week] of WEEKS.entries()) {
      const problem = await refresh(stage, { story, clock }, week, monday - (WEEKS.length - 1 - at) * WEEK_MS)
      if (problem !== '') return problem
    }
    for (const number of [trackingIssue(story)?.number ?? 0, FIRST_OF_AGENT])
      showThread(story.emulator.github, REPOSITORY, number, { withBody: true })
    return oneOfEach(story)
  } finally {
    await story.emulator.close()
  }
}

interface Month {
  readonly story: Story
  readonly clock: Clock
}

async function refresh(
  stage: Stage,
  { story, clock }: Month,
  { merged, change, expected }: Week,
  monday: number,
): Promise<string> {
  const { github, service } = story.emulator
  const count = merged.length === 1 ? '1 pull request' : `${merged.length || 'no'} pull requests`
  heading(`Monday, ${DATE.format(monday)}: ${count} merged in the week before`)
  for (const [at, { login, ...pull }] of merged.entries()) {
    clock.set(monday - (merged.length - at) * DAY_MS)
    const known = [...(github.repository(REPOSITORY)?.issues.keys() ?? [])]
    const number = Math.max(FIRST_NUMBER - 1, ...known.filter((one) => one < FIRST_OF_AGENT)) + 1
    github.addPullRequest({ ...pull, user: login, number })
    github.closePullRequest(number, { merged: true })
    say(`    #${number} ${pull.title}, by ${login}`)
  }
  if (merged.length > 0) say()
  clock.set(monday + START_MS)
  service.readers = readersOf({ from: monday - WEEK_MS, to: monday })
  if (change) service.script.push({ durationMs: WORK_MS, change })
  const result = await runSteps(stage, { story, clock }, DATE.format(monday))
  if (result === undefined) return 'the example has no steps'
  showSummary(result.summary)
  return difference({ expected, exitCode: 0 }, result)
}

/** Ends with the first step that fails. @returns how the last step ended */
async function runSteps(stage: Stage, { story, clock }: Month, day: string): Promise<RunResult | undefined> {
  const { emulator } = story
  const workspace = mkdtempSync(join(tmpdir(), 'docs-agent-demo-'))
  const values: Record<string, string> = {
    'vars.DOCS_AGENT_PROJECT_ID': access(emulator)['project-id'],
    'secrets.DOCS_AGENT_API_KEY': access(emulator)['api-key'],
  }
  let last: RunResult | undefined
  const runId = FIRST_RUN + story.runs.length
  try {
    for (const [at, step] of stepsOf(EXAMPLE).entries()) {
      const run = {
        action: ACTIONS[step.name],
        event: { name: 'schedule', payload: { schedule: '17 6 * * 1' } },
        inputs: inputsOf(step, values),
        env: clock.environment(),
        runId: runId + at,
        workspace,
        onLog: logLine,
      }
      const issue = step.name === 'root' ? trackingIssue(story) : undefined
      last = await stage.run(story, `${day}: ${step.name === 'root' ? 'refresh' : step.name}`, run, issue)
      if (last.exitCode !== 0) return last
      for (const [name, value] of Object.entries(last.outputs))
        values[`steps.${step.id}.outputs.${name}`] = value
    }
    return last
  } finally {
    rmSync(workspace, { recursive: true, force: true })
  }
}

const inputsOf = ({ inputs }: Step, values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, evaluate(value, values)]))

function trackingIssue({ emulator }: Story): ThreadName | undefined {
  const issues = emulator.github.repository(REPOSITORY)?.issues.values() ?? []
  const found = [...issues].find(({ isPullRequest }) => !isPullRequest)
  return found && { repository: REPOSITORY, number: found.number }
}

/** A month is one conversation and one pull request. */
function oneOfEach({ emulator }: Story): string {
  const threads = [...(emulator.github.repository(REPOSITORY)?.issues.values() ?? [])]
  const counts = {
    issues: threads.filter(({ isPullRequest }) => !isPullRequest).length,
    'pull requests of the agent': threads.filter(
      ({ isPullRequest, user }) => isPullRequest && user.type === 'Bot',
    ).length,
    jobs: emulator.service.jobs().length,
  }
  return Object.entries(counts)
    .filter(([, count]) => count !== 1)
    .map(([name, count]) => `there are ${count} ${name}`)
    .join('; ')
}

/** The start of the last Monday that has had its refresh, in milliseconds since the epoch. */
function lastMonday(now: number): number {
  const today = Math.floor((now - START_MS) / DAY_MS) * DAY_MS
  return today - ((new Date(today).getUTCDay() + 6) % 7) * DAY_MS
}
