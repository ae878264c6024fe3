import { describe, expect, test } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import { APP, clients, emulate } from './helpers.ts'

/** A resource of each kind with the same body, by the path that it is read at. */
async function withBodies(body: string) {
  const emulator = await emulate()
  const { github } = emulator
  const login = 'alice'
  github.addIssue({ number: 1, body })
  github.addPullRequest({ number: 77, body })
  const { id: comment } = github.addComment(1, { login, body })
  const { id: reviewComment } = github.addReviewComment(77, { login, body })
  const { id: review } = github.addReview(77, { login, body })
  const { id: release } = github.addRelease({ tag: 'v1', body })
  const paths = {
    issue: '/issues/1',
    'pull request': '/pulls/77',
    comment: `/issues/comments/${comment}`,
    'comments of an issue': '/issues/1/comments',
    'review comment': `/pulls/comments/${reviewComment}`,
    review: `/pulls/77/reviews/${review}`,
    release: `/releases/${release}`,
  }
  return { emulator, paths }
}

const FORMS = {
  'application/json': ['body'],
  'application/vnd.github+json': ['body'],
  'application/vnd.github.raw+json': ['body'],
  'application/vnd.github.html+json': ['body_html'],
  'application/vnd.github.text+json': ['body_text'],
  'application/vnd.github.full+json': ['body', 'body_html', 'body_text'],
  'application/vnd.github.v3.full+json': ['body', 'body_html', 'body_text'],
}

const HTML = /a &(lt|#x3C); b<\/p>/

describe('bodies', () => {
  test.each(Object.entries(FORMS))('%s has %j', async (accept, forms) => {
    const { emulator, paths } = await withBodies('a < b')
    for (const [kind, path] of Object.entries(paths)) {
      const { body } = await clients(emulator).github('GET', APP + path, undefined, { accept })
      const resource = (Array.isArray(body) ? body[0] : body) as Record<string, unknown>
      const found = Object.keys(resource).filter((name) => name.startsWith('body'))
      expect([kind, found]).toEqual([kind, forms])
      if (forms.includes('body')) expect(resource.body).toBe('a < b')
      if (forms.includes('body_text')) expect(resource.body_text).toBe('a < b')
      if (forms.includes('body_html')) expect(resource.body_html).toMatch(HTML)
    }
  })

  test('an issue without text has none in any form', async () => {
    const { emulator } = await withBodies('')
    const accept = 'application/vnd.github.full+json'
    const { body } = await clients(emulator).github('GET', `${APP}/issues/1`, undefined, { accept })
    expect(body).toMatchObject({ body: null, body_html: null })
  })

  test('any Markdown is rendered', async () => {
    const emulator = await emulate()
    const render = (body: unknown) =>
      fetch(`${emulator.githubUrl}/markdown`, {
        method: 'POST',
        headers: { authorization: `Bearer ${emulator.settings.token}` },
        body: JSON.stringify(body),
      })
    const answer = await render({ text: 'a < b', mode: 'gfm', context: 'octo/app' })
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(await answer.text()).toMatch(HTML)
    expect((await render({})).status).toBe(422)
    expect((await render({ text: 'x', mode: 'other' })).status).toBe(400)
  })
})

describe.each([
  ['over a socket', emulate],
  ['in-process', async () => createEmulator()],
])('a renamed repository, %s', (_, start) => {
  test('keeps its id and its threads, and is found by the old name', async () => {
    const emulator = await start()
    const { github } = clients(emulator, emulator.fetch)
    emulator.github.addIssue({ number: 1, title: 'Retries' })
    const before = (await github('GET', APP)).body
    emulator.github.renameRepository('octo/app', 'octo/new')
    expect((await github('GET', '/repos/octo/new')).body).toMatchObject({
      id: before.id,
      full_name: 'octo/new',
    })

    const moved = await github('GET', `${APP}/issues/1?x=1`)
    const target = `${emulator.githubUrl}/repositories/${before.id}/issues/1?x=1`
    expect([moved.status, moved.headers.get('location')]).toEqual([301, target])
    expect((await github('POST', `${APP}/issues/1/comments`, { body: 'x' })).status).toBe(307)
    const headers = { authorization: `Bearer ${emulator.settings.token}` }
    const followed = await emulator.fetch(`${emulator.githubUrl}${APP}/issues/1`, { headers })
    expect(await followed.json()).toMatchObject({ title: 'Retries' })
    emulator.github.addComment(1, { login: 'alice', body: 'by the old name', repo: 'octo/app' })
    expect(emulator.github.comments(1)).toHaveLength(1)
  })
})

test('a comparison counts all commits and shows them by pages, its files on the first', async () => {
  const emulator = await emulate()
  const { github } = clients(emulator)
  const commits = Array.from({ length: 260 }, (_, i) => ({ sha: `c${i}`, message: `change ${i}` }))
  emulator.github.setCompare('a1', 'b2', { commits, files: [{ filename: 'a.ts' }] })
  const path = `${APP}/compare/a1...b2`
  const whole = (await github('GET', path)).body
  expect([whole.total_commits, (whole.commits as unknown[]).length]).toEqual([260, 250])
  const page = await github('GET', `${path}?per_page=100&page=3`)
  expect([(page.body.commits as unknown[]).length, page.body.files]).toEqual([60, []])
  expect(page.headers.get('link')).toContain('rel="prev"')
})
