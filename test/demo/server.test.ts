import { expect, onTestFinished, test, vi } from 'vitest'
import { type Page, startPage } from '../../scripts/demo/page/server.ts'
import type { State } from '../../scripts/demo/page/view/state.ts'
import { Stage } from '../../scripts/demo/stage.ts'

async function opened(): Promise<{ readonly stage: Stage; readonly page: Page }> {
  const stage = new Stage()
  const page = await startPage(stage)
  onTestFinished(() => page.close())
  return { stage, page }
}

test('the page listens on loopback alone, and lets nothing run but its own files', async () => {
  const { page } = await opened()
  expect(page.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
  const policy = (await fetch(page.url)).headers.get('content-security-policy')?.split('; ')
  expect(policy).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]),
  )
})

test('all that the page asks for is there', async () => {
  const { page } = await opened()
  const html = await (await fetch(page.url)).text()
  const paths = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '')
  expect(paths).toContain('/client/main.ts')
  for (const path of [...paths, '/mermaid.js'])
    expect((await fetch(new URL(path, page.url))).status, path).toBe(200)
})

test('the scripts come without types', async () => {
  const { page } = await opened()
  const response = await fetch(new URL('/client/dom.ts', page.url))
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const text = await response.text()
  expect(text).toContain('made.innerHTML = html')
  expect(text).not.toContain(': HTMLElement')
})

test.each(['/package.json', '/client/../server.ts', '/client/tsconfig.json', '/constructor'])(
  '%s is not there',
  async (path) => {
    const { page } = await opened()
    expect((await fetch(new URL(path, page.url))).status).toBe(404)
  },
)

test('nothing can be changed from outside', async () => {
  const { page } = await opened()
  expect((await fetch(page.url, { method: 'POST' })).status).toBe(405)
})

test('a viewer gets the state at once, and again at each change', async () => {
  const { stage, page } = await opened()
  const states = await follow(page)
  expect(states).toEqual([{ stories: [], focus: '', verdict: null }])
  const { emulator } = await stage.begin('A story')
  onTestFinished(() => emulator.close())
  emulator.github.addIssue({ number: 12, title: 'Retries' })
  stage.end('')
  await vi.waitFor(() => expect(states.at(-1)).toMatchObject({ verdict: '' }))
  expect(states.at(-1)?.stories[0]?.threads[0]).toMatchObject({ key: '1/octo/app/12', state: 'open' })
})

test('it waits for a viewer, but not for long', async () => {
  const { page } = await opened()
  await page.viewer(0)
  await follow(page)
  await page.viewer(60_000)
})

/** The states that come, the first one at once. */
async function follow(page: Page): Promise<State[]> {
  const { body } = await fetch(new URL('/events', page.url))
  const states: State[] = []
  let text = ''
  void body
    ?.pipeThrough(new TextDecoderStream())
    .pipeTo(
      new WritableStream({
        write(chunk) {
          const parts = (text + chunk).split('\n\n')
          text = parts.pop() ?? ''
          for (const part of parts) states.push(JSON.parse(part.slice('data: '.length)) as State)
        },
      }),
    )
    .catch(() => {})
  await vi.waitFor(() => expect(states.length).toBeGreaterThan(0))
  return states
}
