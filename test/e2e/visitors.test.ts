import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { scheduled } from './helpers/events.ts'
import { mainsOf, openSandbox } from './helpers/sandbox.ts'

test('the visitors of a week become a file that the next step uploads, and a chart in the summary', async () => {
  const sandbox = await openSandbox()
  sandbox.emulator.service.site = { rows: 3, paths: ['/guides/keys', '/guides/errors', '/sdks'] }
  const run = await sandbox.run('visitors.yml', scheduled('17 6 * * 1'))
  const [visitors, artifact] = mainsOf(run)
  expect([run.exitCode, visitors?.outputs.complete], run.text).toEqual([0, 'true'])
  expect(visitors?.summary).toContain('mermaid')
  expect(artifact?.outputs.rows).toBe('3')
})

test('with its commented lines, the file knows the docs of another repository', async () => {
  const sandbox = await openSandbox()
  sandbox.emulator.service.site = { rows: 2, paths: ['/guides/keys', '/sdks'] }
  const whole = (text: string) => text.replace(/^( +)# (?=- uses| {2}with:|navigation-file)/gm, '$1')
  let steps: unknown[] = []
  // act would fetch another repository from GitHub.
  const edit = (text: string) => {
    steps = parse(whole(text)).jobs.visitors.steps
    return whole(text).replace('repository: octo/docs, ', '')
  }
  const files = { 'docs.json': JSON.stringify({ navigation: { pages: ['guides/keys', 'guides/new'] } }) }
  const run = await sandbox.run('visitors.yml', scheduled('17 6 * * 1'), { edit, files })
  expect(steps[0]).toMatchObject({ with: { repository: 'octo/docs', 'persist-credentials': false } })
  const visitors = mainsOf(run).find(({ outputs }) => outputs.complete !== undefined)
  expect([run.exitCode, visitors?.outputs.complete], run.text).toEqual([0, 'true'])
  expect(visitors?.summary).toContain('guides/new')
})
