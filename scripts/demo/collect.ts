import { comment } from './actions.ts'
import { EXPLAINED, ISSUE } from './changes.ts'
import { heading, say, showSummary, showThread } from './screen.ts'
import type { Story } from './story.ts'

const REQUESTS = [
  { issue: ISSUE, body: '/docs explain the new retry option', turn: { durationMs: 500, change: EXPLAINED } },
  {
    issue: { number: 13, title: 'The changelog mentions versions that are gone' },
    body: '/docs remove what is out of date',
    turn: { durationMs: 500, ending: 'failed' },
  },
] as const

/** Starts jobs without waiting, and collects them; a second sweep finds nothing. */
export async function collected(story: Story): Promise<void> {
  const { emulator } = story
  const { github, service, settings } = emulator
  const { repository } = settings
  github.setPermission('alice', 'write')
  for (const { issue, body, turn } of REQUESTS) {
    const { number } = issue
    const title = `alice writes on issue ${number}: ${body}`
    heading(title)
    github.addIssue(issue)
    service.script.push(turn)
    await story.run({
      title,
      action: 'root',
      event: comment(emulator, { issue: number, login: 'alice', body }),
      inputs: { wait: 'false' },
      expected: { outcome: 'started' },
    })
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
    const expected = { finished, active: '0', failed: '0' }
    const { summary } = await story.run({ title, action: 'collect', expected })
    showSummary(summary)
  }
  for (const { issue } of REQUESTS) showThread(github, repository, issue.number)
}
