import { expect, test } from 'vitest'
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
