import { ISSUE } from './changes.ts'
import { comment } from './payload.ts'
import type { Scene } from './scenes.ts'
import { heading, showPullRequest, showSummary, showThread } from './screen.ts'
import type { Story } from './stage.ts'

/** Plays the scenes one after the other in one emulated repository. */
export const conversation = (scenes: readonly Scene[]) => async (story: Story) => {
  const { github } = story.emulator
  for (const login of ['alice', 'bob']) github.setPermission(login, 'write')
  github.addIssue(ISSUE)
  for (const scene of scenes) await perform(story, scene)
}

async function perform(story: Story, scene: Scene): Promise<void> {
  const { emulator } = story
  const { github, service } = emulator
  const { repository } = emulator.settings
  heading(scene.heading)
  const pullRequest = () => [...github.repo().pulls.keys()].at(-1) ?? 0
  const number = scene.on === 'issue' ? ISSUE.number : pullRequest()
  service.script.push(...scene.turns)
  github.checks.script.push(...(scene.checks ?? []))
  const { summary } = await story.run({
    title: scene.heading,
    action: 'root',
    event: comment(emulator, { issue: number, login: scene.login, body: scene.body }),
    inputs: { 'poll-interval-seconds': '1', 'fix-attempts': '2', ...scene.inputs },
    thread: { repository, number },
    expected: scene.expected,
    exitCode: scene.exitCode ?? 0,
  })
  if (scene.checks !== undefined) showPullRequest(emulator, repository, pullRequest())
  showThread(github, repository, number)
  if (scene.on === 'issue' && scene.turns.length > 0) showSummary(summary)
}
