import { expect, onTestFinished, test, vi } from 'vitest'
import { startPage } from '../../scripts/demo/page/server.ts'
import { Stage } from '../../scripts/demo/stage.ts'
import { HANGS_AFTER_MS } from '../helpers/hangs.ts'

/** A page that shows one story, with issue 12. */
async function opened(body = '') {
  const stage = new Stage()
  const page = await startPage(stage)
  const story = await stage.begin('A story')
  const { emulator } = story
  onTestFinished(async () => {
    await page.close()
    await story.end()
  })
  emulator.github.addIssue({ number: 12, title: 'Retries', body })
  const get = (path: string, init: RequestInit = {}) => fetch(new URL(path, page.url), init)
  const shown = async (path = '/1/octo/app/12') =>
    (await (await get(path)).text()).replace(/[\s\S]*<main id="main">|<\/main>[\s\S]*/g, '')
  return { page, stage, github: emulator.github, get, shown }
}

test('the page listens on loopback alone, and lets nothing run but its own files', async () => {
  const { page, get } = await opened()
  expect(page.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
  const response = await get('/')
  expect(response.headers.get('content-security-policy')?.split('; ')).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]),
  )
  const paths = [...(await response.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(
    ([, path]) => path ?? '',
  )
  expect(paths).toContain('/1/octo/app/12')
  for (const path of [...paths, '/mermaid.js']) expect((await get(path)).status, path).toBe(200)
  for (const path of ['/package.json', '/server.ts', '/1/octo/app/13', '/constructor'])
    expect((await get(path)).status, path).toBe(404)
  expect((await get('/', { method: 'POST' })).status).toBe(405)
})

test.each([
  ['a script', '<script>alert(1)</script>'],
  ['a handler', '<b onclick="alert(1)">b</b><a href="x" onmouseover="alert(1)">a</a>'],
  ['a picture', '![x](https://example.com/x.png) <img src=x onerror=alert(1)>'],
  ['a frame', '<iframe src="https://example.com"></iframe><object data="x"></object>'],
  ['a style', '<style>body{display:none}</style><p style="position:fixed">p</p>'],
  ['a script for a link', '[x](javascript:alert(1)) <a href="data:text/html,x">y</a>'],
])('%s of a stranger does not reach the page', async (_, body) => {
  const { github, shown } = await opened(body)
  github.addIssue({ number: 13, title: body })
  for (const path of ['/1/octo/app/12', '/1/octo/app/13'])
    expect((await shown(path)).replaceAll('<img class="emoji"', '')).not.toMatch(
      /<(?:script|img|iframe|object|style)|<[^>]+\s(?:on\w+|style)=|href="(?:javascript|data):/,
    )
})

test('links lead to what the page shows; strangers of that name get none', async () => {
  const { github, shown } = await opened(
    'octo/docs#77 https://github.com/octo/docs/pull/77 @alice [a](https://example.com)',
  )
  expect(await shown()).not.toMatch(/href="[^"]*(?:docs|alice)/)
  github.addPullRequest({ number: 77, repo: 'octo/docs' })
  const html = await shown()
  expect(html.match(/<a href="\/1\/octo\/docs\/77">octo\/docs#77<\/a>/g)).toHaveLength(2)
  expect(html).toContain(
    '<a href="https://example.com" target="_blank" rel="noopener noreferrer nofollow">a</a>',
  )
  expect(html).toContain('<strong>@alice</strong>')
})

test('a comment shows who wrote it, who reacted, and its source with what is hidden', async () => {
  const { github, shown } = await opened()
  const body = 'Done.\n\n<!-- marker -->'
  const comment = github.addComment(12, { login: 'github-actions[bot]', body })
  github.react(comment, 'rocket', { login: 'alice', type: 'User' })
  const html = await shown()
  expect(html).toMatch(/<b>github-actions<\/b> <span class="badge">bot<\/span>/)
  expect(html).toContain('title="alice"><img class="emoji" alt="🚀" src="/emoji/1f680.svg">')
  expect(html).toContain('<div class="text"><p>Done.</p></div>')
  expect(html).toContain('&#60;!-- marker --&#62;')
})

test('viewers hear of each change, and the page waits for the first one, but not for long', async () => {
  const { page, stage, get, shown } = await opened()
  await page.viewer(0)
  const { body } = await get('/events')
  const heard: string[] = []
  void body
    ?.pipeThrough(new TextDecoderStream())
    .pipeTo(new WritableStream({ write: (text) => void heard.push(text) }))
    .catch(() => {})
  await vi.waitFor(() => expect(heard).not.toEqual([]), HANGS_AFTER_MS)
  const before = heard.length
  stage.end('something is wrong')
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(before), HANGS_AFTER_MS)
  expect(await (await get('/')).text()).toContain('class="failed" title="something is wrong"')
  expect(await shown('/')).toBe('')
})
