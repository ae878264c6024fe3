import { fileURLToPath } from 'node:url'
import type { RunResult } from '../../emulator/runner.ts'
import { comment } from './payload.ts'
import type { Scene } from './scenes.ts'
import { heading, logLine, showSummary, showThread } from './screen.ts'
import type { Stage, Story } from './stage.ts'

const ACTION = fileURLToPath(new URL('../../action.yml', import.meta.url))
const REPOSITORY = 'octo/app'
const ISSUE = 12
const FIRST_RUN = 9_000_001

/** Plays the scenes one after the other in one emulated repository. @returns what is wrong, or '' */
export async function showConversation(
  stage: Stage,
  title: string,
  scenes: Iterable<Scene> | AsyncIterable<Scene>,
): Promise<string> {
  const story = await stage.begin(title, { repository: REPOSITORY, docsRepository: REPOSITORY })
  const { github } = story.emulator
  try {
    for (const login of ['alice', 'bob']) github.setPermission(login, 'write')
    github.addIssue({
      number: ISSUE,
      title: 'The retry option is not documented',
      body: 'Since 2.4 `fetchAll` takes `retry: { limit, backoff }`. The guide does not mention it.',
    })
    for await (const scene of scenes) {
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
  const { github, service, settings } = story.emulator
  heading(scene.heading)
  const pullRequest = Math.max(0, ...(github.repository(REPOSITORY)?.pulls.keys() ?? []))
  const number = scene.on === 'issue' ? ISSUE : pullRequest
  if (scene.turn) service.script.push(scene.turn)
  const run = {
    action: ACTION,
    event: comment(story.emulator, { issue: number, login: scene.login, body: scene.body }),
    inputs: {
      'project-id': settings.projectId,
      'api-key': settings.apiKey,
      'poll-interval-seconds': '1',
      ...scene.inputs,
    },
    secrets: { DOCS_AGENT_KEY: settings.apiKey },
    runId: FIRST_RUN + story.runs.length,
    onLog: logLine,
  }
  const result = await stage.run(story, scene.heading, run, { repository: REPOSITORY, number })
  showThread(github, REPOSITORY, number)
  if (scene.showSummary) showSummary(result.summary)
  return difference(scene, result)
}

function difference(scene: Scene, { exitCode, outputs, post }: RunResult): string {
  const wrong = Object.entries(scene.expected)
    .filter(([name, value]) => outputs[name] !== value)
    .map(([name, value]) => `${name} is "${outputs[name] ?? ''}", not "${value}"`)
  if (exitCode !== scene.exitCode) wrong.push(`the exit code is ${exitCode}, not ${scene.exitCode}`)
  if (post && post.exitCode !== 0) wrong.push(`the post step ended with ${post.exitCode}`)
  return wrong.join('; ')
}
