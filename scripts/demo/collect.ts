import { ACTIONS, access } from './actions.ts'
import { EXPLAINED, ISSUE } from './changes.ts'
import { difference } from './conversation.ts'
import { comment } from './payload.ts'
import { heading, logLine, say, showSummary, showThread } from './screen.ts'
import type { Stage } from './stage.ts'

const REPOSITORY = 'octo/app'
const FIRST_RUN = 9_000_101

const REQUESTS = [
  { issue: ISSUE, body: '/docs explain the new retry option', turn: { durationMs: 500, change: EXPLAINED } },
  {
    issue: { number: 13, title: 'The changelog mentions versions that are gone' },
    body: '/docs remove what is out of date',
    turn: { durationMs: 500, ending: 'failed' },
  },
] as const

/** Starts jobs without waiting, and collects them; a second sweep finds nothing. @returns what is wrong, or '' */
export async function showCollect(stage: Stage): Promise<string> {
  const story = await stage.begin('Jobs that no runner waits for', { repository: REPOSITORY })
  const { emulator } = story
  const { github, service, settings } = emulator
  const common = () => ({ runId: FIRST_RUN + story.runs.length, onLog: logLine })
  try {
    github.setPermission('alice', 'write')
    for (const { issue, body, turn } of REQUESTS) {
      const title = `alice writes on issue ${issue.number}: ${body}`
      heading(title)
      github.addIssue(issue)
      service.script.push(turn)
      const event = comment(emulator, { issue: issue.number, login: 'alice', body })
      const inputs = { ...access(emulator), wait: 'false' }
      const thread = { repository: REPOSITORY, number: issue.number }
      const result = await stage.run(
        story,
        title,
        { ...common(), action: ACTIONS.root, event, inputs },
        thread,
      )
      const problem = difference({ expected: { outcome: 'started' }, exitCode: 0 }, result)
      if (problem !== '') return problem
    }
    say('\n  … the agent works, no runner waits …')
    while (service.jobs().some(({ status }) => status === 'active')) {
      await settings.sleep(100)
      service.tick()
    }
    for (const [title, finished] of [
      ['The first run of collect, some minutes later', '2'],
      ['The second run, which finds nothing to do', '0'],
    ] as const) {
      heading(title)
      const event = { name: 'schedule', payload: {} }
      const run = { ...common(), action: ACTIONS.collect, event, inputs: access(emulator) }
      const result = await stage.run(story, title, run)
      showSummary(result.summary)
      const problem = difference({ expected: { finished, active: '0', failed: '0' }, exitCode: 0 }, result)
      if (problem !== '') return problem
    }
    for (const { issue } of REQUESTS) showThread(github, REPOSITORY, issue.number)
    return ''
  } finally {
    await emulator.close()
  }
}
