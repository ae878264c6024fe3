import type { RunResult } from '../../emulator/runner.ts'
import { ACTIONS, access } from './actions.ts'
import { ISSUE } from './changes.ts'
import { comment } from './payload.ts'
import type { Scene } from './scenes.ts'
import { heading, logLine, showPullRequest, showSummary, showThread } from './screen.ts'
import type { Stage, Story } from './stage.ts'

const REPOSITORY = 'octo/app'
const FIRST_RUN = 9_000_001

/** Plays the scenes one after the other in one emulated repository. @returns what is wrong, or '' */
export async function showConversation(
  stage: Stage,
  title: string,
  scenes: readonly Scene[],
): Promise<string> {
  const story = await stage.begin(title, { repository: REPOSITORY, docsRepository: REPOSITORY })
  const { github } = story.emulator
  try {
    for (const login of ['alice', 'bob']) github.setPermission(login, 'write')
    github.addIssue(ISSUE)
    for (const scene of scenes) {
      const problem = await perform(stage, story, scene)
      if (problem !== '') return problem
    }
    return ''
  } finally {
    await story.emulator.close()
  }
}

/** @returns what is wrong with the ending, or '' */
async function perform(stage: Stage, story: Story, scene: Scene): Promise<string> {
  const { emulator } = story
  const { github, service, settings } = emulator
  heading(scene.heading)
  const pullRequest = () => [...(github.repository(REPOSITORY)?.pulls.keys() ?? [])].at(-1)
  const number = scene.on === 'issue' ? ISSUE.number : (pullRequest() ?? 0)
  service.script.push(...scene.turns)
  github.checks.script.push(...(scene.checks ?? []))
  const run = {
    action: ACTIONS.root,
    event: comment(emulator, { issue: number, login: scene.login, body: scene.body }),
    inputs: { ...access(emulator), 'poll-interval-seconds': '1', 'fix-attempts': '2', ...scene.inputs },
    secrets: { DOCS_AGENT_KEY: settings.apiKey },
    runId: FIRST_RUN + story.runs.length,
    onLog: logLine,
  }
  const result = await stage.run(story, scene.heading, run, { repository: REPOSITORY, number })
  if (scene.checks !== undefined) showPullRequest(story.emulator, REPOSITORY, pullRequest() ?? 0)
  showThread(github, REPOSITORY, number)
  if (scene.on === 'issue' && scene.turns.length > 0) showSummary(result.summary)
  return difference(scene, result)
}

/** @returns how the end differs from the expected one, or '' */
export function difference(
  { expected, exitCode }: Pick<Scene, 'expected' | 'exitCode'>,
  { outputs, post, ...result }: RunResult,
): string {
  const wrong = Object.entries(expected)
    .filter(([name, value]) => outputs[name] !== value)
    .map(([name, value]) => `${name} is "${outputs[name] ?? ''}", not "${value}"`)
  if (result.exitCode !== exitCode) wrong.push(`the exit code is ${result.exitCode}, not ${exitCode}`)
  if (post && post.exitCode !== 0) wrong.push(`the post step ended with ${post.exitCode}`)
  return wrong.join('; ')
}
