import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import { type ActionRun, runAction, startAction } from '../../emulator/runner.ts'

const action = fileURLToPath(new URL('fixtures/action.yml', import.meta.url))
const event = { name: 'issue_comment', payload: { sender: { login: 'alice' } } }

const sameFile = fileURLToPath(new URL('fixtures/same-file/action.yml', import.meta.url))

const given = (more: Partial<ActionRun> = {}): ActionRun => ({
  action,
  event,
  emulator: createEmulator(),
  ...more,
})

test('inputs, event, files and the post step are the runner’s', async () => {
  const lines: string[] = []
  const result = await runAction(given({ attempt: 2, onLog: (line) => lines.push(line) }))
  expect(result).toMatchObject({ exitCode: 0, signal: null, summary: '# Done\n', fileErrors: [] })
  expect(result.outputs.lines).toBe('one\n\nthree')
  const seen = JSON.parse(result.outputs.seen ?? '{}')
  expect(seen).toMatchObject({ event: event.payload, input: 'http://127.0.0.1:4010', blank: '', run: '2' })
  expect(seen.variables).not.toContain('HTTPS_PROXY')
  expect(seen.variables).toEqual(
    expect.arrayContaining(['INPUT_GREETING', 'INPUT_GITHUB-TOKEN', 'GITHUB_STEP_SUMMARY']),
  )
  expect(result.state).toEqual({ job: 'j_1' })
  expect(result.post).toMatchObject({
    exitCode: 0,
    log: 'post of j_1, ***, greeting hello\n',
    summary: 'Tidied\n',
  })
  expect(lines.join('\n')).not.toContain('hush')
})

test('the log obeys commands and hides secrets, the raw log does not', async () => {
  const { log, rawLog, annotations, commands } = await runAction(
    given({ secrets: { WORD: 'hello' }, post: false }),
  )
  expect(log).toContain('*** *** ***\n')
  expect(log).not.toMatch(/hush|hello|test-token|::add-mask/)
  expect(log).toContain('to stderr')
  expect(rawLog).toContain('hush hello test-token')
  expect(annotations).toEqual([
    { level: 'error', title: 'Oops', message: 'went wrong:\n***' },
    { level: 'warning', message: 'obeyed' },
  ])
  expect(commands.map(({ name }) => name)).toEqual(['add-mask', 'error', 'warning'])
})

test('post runs after a failure, after a signal and after a kill, but not when the runner is lost', async () => {
  expect(await runAction(given({ inputs: { greeting: 'fail' } }))).toMatchObject({
    exitCode: 1,
    post: { exitCode: 0 },
  })

  const wait = (signal: NodeJS.Signals, post: boolean) => {
    const onLog = (line: string) => line === 'waiting' && handle.kill(signal)
    const handle = startAction(given({ inputs: { greeting: 'wait' }, onLog, post }))
    return handle.done
  }
  const interrupted = await wait('SIGINT', true)
  expect(interrupted).toMatchObject({ exitCode: 3, post: { exitCode: 0 } })
  expect(interrupted.log).toContain('interrupted')
  const killed = await wait('SIGKILL', true)
  expect(killed).toMatchObject({
    exitCode: null,
    signal: 'SIGKILL',
    state: { job: 'j_1' },
    post: { exitCode: 0 },
  })
  expect(await wait('SIGKILL', false)).toMatchObject({ signal: 'SIGKILL', post: undefined })
})

test('one file can be main and post, told apart by the state', async () => {
  const result = await runAction(given({ action: sameFile }))
  expect(result).toMatchObject({ exitCode: 0, log: '', state: { isPost: 'true', job: 'j_1' } })
  expect(result.post).toMatchObject({ exitCode: 0, log: 'post of j_1\n', state: {} })
  expect(JSON.parse(result.outputs.seen ?? '{}')).not.toHaveProperty('STATE_isPost')
})

test('variables tell the commit, the branch and the repository, by its id after a renaming, too', async () => {
  const emulator = createEmulator()
  const id = String(emulator.github.repository('octo/app')?.id)
  emulator.github.renameRepository('octo/app', 'octo/new')
  const push = { name: 'push', payload: { ref: 'refs/tags/v1', after: 'abc123' } }
  const { outputs } = await runAction(given({ action: sameFile, emulator, event: push }))
  expect(JSON.parse(outputs.seen ?? '{}')).toMatchObject({
    GITHUB_SHA: 'abc123',
    GITHUB_REF_NAME: 'v1',
    GITHUB_REF_TYPE: 'tag',
    GITHUB_REPOSITORY: 'octo/new',
    GITHUB_REPOSITORY_ID: id,
  })
})
