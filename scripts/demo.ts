import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs, styleText } from 'node:util'
import { type Emulator, startEmulator } from '../emulator/emulator.ts'
import { type RunResult, runAction } from '../emulator/runner.ts'
import { comment } from './demo/payload.ts'
import { CONVERSATION, FAILURE, type Scene, TIMEOUT } from './demo/scenes.ts'
import { heading, logLine, say, showSummary, showThread } from './demo/screen.ts'

const ACTION = fileURLToPath(new URL('../action.yml', import.meta.url))
const BUNDLE = fileURLToPath(new URL('../dist/index.js', import.meta.url))
const REPOSITORY = 'octo/app'
const ISSUE = 12

const { values } = parseArgs({
  options: {
    fail: { type: 'boolean', default: false },
    timeout: { type: 'boolean', default: false },
  },
})

if (!existsSync(ACTION) || !existsSync(BUNDLE)) {
  say('There is nothing to show yet: run `npm run build` first.')
  process.exitCode = 1
} else process.exitCode = await play(values.fail ? FAILURE : values.timeout ? TIMEOUT : CONVERSATION)

/** Plays the scenes one after the other in one emulated repository. @returns the exit code */
async function play(scenes: readonly Scene[]): Promise<number> {
  const emulator = await startEmulator({ repository: REPOSITORY, docsRepository: REPOSITORY })
  try {
    for (const login of ['alice', 'bob']) emulator.github.setPermission(login, 'write')
    emulator.github.addIssue({
      number: ISSUE,
      title: 'The retry option is not documented',
      body: 'Since 2.4 `fetchAll` takes `retry: { limit, backoff }`. The guide does not mention it.',
    })
    say('The built action, run as the runner runs it, against an emulator on this machine.')
    for (const [index, scene] of scenes.entries()) {
      const problem = await perform(emulator, scene, index)
      if (problem === '') continue
      say(styleText('red', `This is not how it should have ended: ${problem}`))
      return 1
    }
    say()
    say(nextStep(scenes))
    return 0
  } finally {
    await emulator.close()
  }
}

/** @returns what is wrong with the ending, or '' */
async function perform(emulator: Emulator, scene: Scene, index: number): Promise<string> {
  const { github, service, settings } = emulator
  heading(scene.heading)
  const pullRequest = Math.max(0, ...(github.repository(REPOSITORY)?.pulls.keys() ?? []))
  const number = scene.on === 'issue' ? ISSUE : pullRequest
  if (scene.turn) service.script.push(scene.turn)
  const result = await runAction({
    action: ACTION,
    emulator,
    event: comment(emulator, { issue: number, login: scene.login, body: scene.body }),
    inputs: {
      'project-id': settings.projectId,
      'api-key': settings.apiKey,
      'poll-interval-seconds': '1',
      ...scene.inputs,
    },
    secrets: { DOCS_AGENT_KEY: settings.apiKey },
    runId: 9_000_001 + index,
    onLog: logLine,
  })
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

function nextStep(scenes: readonly Scene[]): string {
  const others =
    scenes === CONVERSATION
      ? '`npm run demo -- --fail` or `-- --timeout` show other endings'
      : '`npm run demo` shows a whole conversation'
  return `${styleText('green', scenes.length > 1 ? 'All ended as they should.' : 'It ended as it should.')} Next: ${others}; \`npm run emulator\` stays up for your own workflow.`
}
