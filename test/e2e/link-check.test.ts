import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Edit } from './helpers/act.ts'
import { scheduled } from './helpers/events.ts'
import {
  commentsIn,
  expectOutcome,
  mainsOf,
  openSandbox,
  promptsOf,
  trackingIssues,
} from './helpers/sandbox.ts'

const EXAMPLE = 'link-check.yml'
const MONDAY = scheduled('43 6 * * 1')
const CHECKER = fileURLToPath(new URL('../../examples/link-check', import.meta.url))

/** Mintlify's checker as the lock file has it: npm takes a minute or two for its packages. */
let installed = ''
beforeAll(() => {
  installed = mkdtempSync(join(tmpdir(), 'docs-agent-link-check-'))
  cpSync(CHECKER, installed, { recursive: true })
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: installed })
})
afterAll(() => rmSync(installed, { recursive: true, force: true }))

/** The workflow with the packages that are here, since its runs reach no registry. */
const withPackages: Edit = (workflow) =>
  workflow.replace(/npm ci .*/, `ln -s '${installed}/node_modules' "$RUNNER_TEMP/link-check"`)

const config = { name: 'Site', theme: 'mint', colors: { primary: '#0D9373' } }
const navigation = { pages: ['index', 'guide/start'] }
const page = (text: string): string => `---\ntitle: Page\n---\n\n${text}\n`

const RIGHT = {
  ...Object.fromEntries(
    ['package.json', 'package-lock.json'].map((file) => [
      `.github/link-check/${file}`,
      readFileSync(join(CHECKER, file), 'utf8'),
    ]),
  ),
  'docs.json': JSON.stringify({ $schema: 'https://mintlify.com/docs.json', ...config, navigation }),
  'index.mdx': page(
    'See [the start](/guide/start), [its setup](/guide/start#setup-2) and [outside](https://a.example/gone).',
  ),
  'guide/start.mdx': page('## Setup\n\n## Setup\n\nBack [home](/), or [in this folder](./start).'),
}
const WRONG = {
  ...RIGHT,
  'index.mdx': page('See [retries](/guide/retries), [keys](./keys.mdx) and [the start](/guide/start).'),
  'guide/start.mdx': page('![A picture](/images/start.png) Back [home](/).'),
}

const operation = { summary: 'List', responses: { 200: { description: 'Fine' } } }
const openapi = {
  openapi: '3.1.0',
  info: { title: 'API', version: '1' },
  paths: { '/users': { get: operation } },
}
const groups = [
  { group: 'Guides', pages: ['index', 'guide/start'] },
  { group: 'API', openapi: { source: 'openapi.json', directory: 'api' } },
]
const docsJson = (more: readonly object[]) =>
  JSON.stringify({
    $schema: 'https://mintlify.com/docs.json',
    ...config,
    navigation: { groups: [...groups, ...more] },
  })
const DESCRIBED = {
  ...RIGHT,
  'docs.json': docsJson([]),
  'openapi.json': JSON.stringify(openapi),
  'index.mdx': page('See [users](/api/list).'),
}
/** Files that have no file in the repository. */
const MADE = {
  ...RIGHT,
  'index.mdx': page(
    '[a](/llms.txt) [b](/llms-full.txt) [c](/sitemap.xml) [d](/guide/rss.xml) [e](/rss.xml) [f](/mcp)',
  ),
}
/** The checker then calls the link to `/api/list` broken. */
const UNREAD = { ...DESCRIBED, 'docs.json': docsJson([{ group: 'More', openapi: 'missing.json' }]) }

test.each([
  ['of pages', RIGHT, 'no broken links found'],
  ['with pages of an API', DESCRIBED, 'no broken links found'],
  ['with links to what Mintlify makes', MADE, '/llms-full.txt'],
])('a site %s whose links work asks nothing', async (_, files, says) => {
  const sandbox = await openSandbox()
  const run = await sandbox.run(EXAMPLE, MONDAY, { files, edit: withPackages })
  expect([run.exitCode, run.text]).toEqual([0, expect.stringContaining(says)])
  expect(mainsOf(run).filter(({ step }) => /docs-agent|artifact/.test(step))).toEqual([])
  expect(sandbox.emulator.requests).toEqual([])
})

test('of a site with broken links the agent gets each of them, and the issue the result', async () => {
  const sandbox = await openSandbox()
  const run = await sandbox.run(EXAMPLE, MONDAY, { files: WRONG, edit: withPackages })
  const step = expectOutcome(run, 'pull-request')
  const [issue, ...others] = trackingIssues(sandbox, 'Docs links')
  expect([step.outputs['issue-number'], others]).toEqual([String(issue?.number), []])
  const [[prompt = ''] = []] = promptsOf(sandbox)
  const [, , list = ''] =
    /Fix the broken links[\s\S]*\n=== begin (\w+)\n([\s\S]*)\n=== end \1/.exec(prompt) ?? []
  expect(list).toContain('File: broken-links.txt')
  expect(
    list
      .split('\n')
      .filter((line) => /\.mdx|⎿/.test(line))
      .map((line) => line.trim().replace(/\s+/g, ' ')),
  ).toEqual([
    ...['guide/start.mdx', '⎿ /images/start.png'],
    ...['index.mdx', '⎿ /guide/retries', '⎿ ./keys.mdx'],
  ])
  expect(commentsIn(sandbox, issue?.number)).toEqual([expect.stringMatching(/^\*\*✅ .*octo\/app#77/)])
})

test.each([
  [
    'a page that cannot be parsed',
    { ...WRONG, 'guide/bad.mdx': page('{broken') },
    /Unable to parse guide\/bad\.mdx/,
  ],
  ['a description that is not there', UNREAD, /Failed to extract OpenAPI pages/],
  ['a folder that is not there', WRONG, /./],
  // Where the machine is busy, act can lose what a short step wrote last.
])('%s: the run fails, and the agent is asked nothing', { retry: 1 }, async (what, files, says) => {
  const sandbox = await openSandbox()
  const edit: Edit = (workflow) =>
    what.startsWith('a folder')
      ? withPackages(workflow).replace('DOCS: .', 'DOCS: gone')
      : withPackages(workflow)
  const run = await sandbox.run(EXAMPLE, MONDAY, { files, edit })
  expect(run.exitCode).not.toBe(0)
  expect(run.text).toMatch(says)
  expect(sandbox.emulator.requests).toEqual([])
})
