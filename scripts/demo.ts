import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs, styleText } from 'node:util'
import { type Emulator, startEmulator } from '../emulator/emulator.ts'
import { type RunResult, runAction } from '../emulator/runner.ts'
import { showCollect } from './demo/collect.ts'
import { comment } from './demo/payload.ts'
import { CONVERSATION, FAILURE, type Scene, TIMEOUT } from './demo/scenes.ts'
import { heading, logLine, say, showSummary, showThread } from './demo/screen.ts'
import { showVisitors } from './demo/visitors.ts'

const ACTION = fileURLToPath(new URL('../action.yml', import.meta.url))
const BUNDLE = fileURLToPath(new URL('../dist/index.js', import.meta.url))
const REPOSITORY = 'octo/app'
const INTRODUCTION = 'The built action, run as the runner runs it, against an emulator on this machine.'
const ISSUE = 12

/** Other stories than the conversation: `npm run demo -- collect`. Each gives what is wrong with its end, or ''. */
const STORIES: Readonly<Record<string, () => Promise<string>>> = {
  collect: showCollect,
  visitors: showVisitors,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    fail: { type: 'boolean', default: false },
    timeout: { type: 'boolean', default: false },
  },
})

const unknown = Object.keys(values).find((name) => name !== 'fail' && name !== 'timeout')
process.exitCode = await demo(unknown === undefined ? positionals[0] : `--${unknown}`)

/** @returns the exit code */
async function demo(name: string | undefined): Promise<number> {
  if (!existsSync(ACTION) || !existsSync(BUNDLE)) {
    say('There is nothing to show yet: run `npm run build` first.')
    return 1
  }
  if (name === undefined) return await play(values.fail ? FAILURE : values.timeout ? TIMEOUT : CONVERSATION)
  const story = STORIES[name]
  if (story === undefined) {
    say(
      `There is no story "${name}": leave it out, or say ${[...Object.keys(STORIES), '--fail', '--timeout'].join(', ')}.`,
    )
    return 2
  }
  say(INTRODUCTION)
  const problem = await story()
  say(problem === '' ? styleText('green', 'It ended as it should.') : wrong(problem))
  return problem === '' ? 0 : 1
}

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
    say(INTRODUCTION)
    for (const [index, scene] of scenes.entries()) {
      const problem = await perform(emulator, scene, index)
      if (problem === '') continue
      say(wrong(problem))
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

const wrong = (problem: string): string =>
  styleText('red', `This is not how it should have ended: ${problem}`)

function nextStep(scenes: readonly Scene[]): string {
  const others =
    scenes === CONVERSATION
      ? '`npm run demo -- --fail` or `-- --timeout` show other endings, `-- collect` and `-- visitors` the sub-actions'
      : '`npm run demo` shows a whole conversation'
  return `${styleText('green', scenes.length > 1 ? 'All ended as they should.' : 'It ended as it should.')} Next: ${others}; \`npm run emulator\` stays up for your own workflow.`
}
