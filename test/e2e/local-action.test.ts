import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { commented } from './helpers/events.ts'
import { commentsIn, openSandbox, REPOSITORY, reactionsTo } from './helpers/sandbox.ts'

const ENTRYPOINTS = 'test/e2e/helpers/local-action'
const { PATH = '' } = process.env
const bin = PATH.split(delimiter).find((folder) => existsSync(join(folder, 'local-action')))

// github/local-action runs src/ with stand-ins for the packages of GitHub's toolkit.
test.skipIf(bin === undefined)('a comment starts a job in github/local-action', async () => {
  const sandbox = await openSandbox()
  const { event, id } = commented(sandbox, '/docs explain the new retry option')
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-local-action-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [payload, summary, settings] = [join(folder, 'event'), join(folder, 'summary'), join(folder, '.env')]
  writeFileSync(payload, JSON.stringify(event.payload))
  writeFileSync(summary, '')
  const values = {
    GITHUB_REPOSITORY: REPOSITORY,
    GITHUB_API_URL: sandbox.emulator.githubUrl,
    GITHUB_EVENT_NAME: event.name,
    GITHUB_EVENT_PATH: payload,
    GITHUB_RUN_ID: '9000001',
    GITHUB_STEP_SUMMARY: summary,
    'INPUT_PROJECT-ID': 'docs',
    'INPUT_API-KEY': 'test-key',
    'INPUT_GITHUB-TOKEN': 'test-token',
    'INPUT_BASE-URL': sandbox.emulator.serviceUrl,
  }
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(settings, lines.join(''))

  const { stdout } = await promisify(execFile)(
    'local-action',
    ['run', '.', `${ENTRYPOINTS}/main.ts`, settings, '--post', `${ENTRYPOINTS}/post.ts`],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      // It calls `npm exec tsx`, which finds the tsx that is installed beside it.
      env: { PATH, HOME: folder, npm_config_prefix: dirname(bin ?? '') },
    },
  )
  const shown = stripVTControlCharacters(stdout)
  const [, main, post, table = ''] = shown.split(/^ +(?:Running Action|Running Post Step|Action Outputs)$/m)
  const rows = [...table.matchAll(/│ '(.+?)' +│ '(.*)' +│/g)]
  const outputs = Object.fromEntries(rows.map(([, name, value]) => [name, value]))
  const link = 'https://github.com/octo/app/pull/77'
  expect(outputs, shown).toMatchObject({
    outcome: 'pull-request',
    reason: '',
    status: 'completed',
    'job-action': 'created',
    'pr-link': link,
    'comment-url': expect.stringMatching(/^https:\/\/github\.com\/octo\/app\/issues\/12#issuecomment-\d+$/),
  })
  expect(JSON.parse(outputs.result ?? '')).toMatchObject({ outcome: 'pull-request', 'pr-link': link })
  expect(main).toContain('comment command by alice on octo/app#12')
  expect(main).toContain(`::info::Pull request: ${link}`)
  expect(post).not.toContain('::')
  expect(readFileSync(summary, 'utf8')).toContain(`[octo/app#77](${link})`)
  expect(commentsIn(sandbox)).toEqual([expect.stringMatching(/^\*\*✅ .*octo\/app#77.* for @alice/)])
  expect(reactionsTo(sandbox, id)).toEqual(['rocket'])
})
