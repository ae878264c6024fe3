import { expect, test } from 'vitest'
import { ask, emulate } from './helpers.ts'

// Threads and repositories that are no longer where they were.

const EVERY = [
  ['GET /issues/1', undefined],
  ['PATCH /issues/1', { title: 'x' }],
  ['GET /issues/1/comments', undefined],
  ['POST /issues/1/comments', { body: 'x' }],
  ['POST /issues/1/labels', { labels: ['x'] }],
] as const

/** octo/app with an issue and a comment, beside octo/other. */
function threads(isPrivate = false) {
  const world = emulate()
  world.github.addRepository('octo/other', isPrivate)
  world.github.addIssue({ number: 1, title: 'Retries' })
  world.github.addIssue({ number: 3, repo: 'octo/other' })
  const { id } = world.github.addComment(1, { login: 'bob', body: 'x' })
  return { ...world, comment: id }
}

// "The API returns a 301 Moved Permanently status if the issue was transferred to another repository."
test.each(EVERY)('%s of a transferred issue leads to the other repository', async (request, body) => {
  const { app, github } = threads()
  const moved = github.transferIssue(1, 'octo/other')
  const { status, headers } = await app(`${request}?per_page=5`, body)
  const path = request.replace(/^.*\/issues\/1/, `/repositories/${github.repo('octo/other').id}/issues/4`)
  expect([status, moved.number]).toEqual([301, 4])
  expect(headers.get('location')).toMatch(new RegExp(`${path}\\?per_page=5$`))
  expect(github.issue(4, 'octo/other').title).toBe('Retries')
})

test('what was transferred is found there, and nowhere else', async () => {
  const { emulator, app, github, listed, comment } = threads()
  github.transferIssue(1, 'octo/other')
  const location = (await app('GET /issues/1/comments')).headers.get('location') ?? ''
  const there = await ask(emulator, `GET ${location.slice(emulator.githubUrl.length)}`)
  expect(there.list).toMatchObject([{ id: comment, body: 'x' }])
  expect([await listed('/issues'), await listed('/issues/comments')]).toEqual([[], []])
  expect((await app(`GET /issues/comments/${comment}`)).status).toBe(404)
  // The token of a workflow writes nowhere else.
  const path = location.slice(emulator.githubUrl.length)
  expect((await ask(emulator, `POST ${path}`, { body: 'y' })).status).toBe(403)
  expect(github.addIssue().number).toBe(2)
})

test('where the issue went may be out of reach', async () => {
  const { emulator, app, github } = threads(true)
  github.transferIssue(1, 'octo/other')
  const location = (await app('GET /issues/1')).headers.get('location') ?? ''
  expect((await ask(emulator, `GET ${location.slice(emulator.githubUrl.length)}`)).status).toBe(404)
})

// "If the issue was deleted from a repository where the authenticated user has read access, the API returns a 410 Gone
// status", and "lacks read access […] a 404 Not Found status".
test.each([410, 404] as const)(
  'a deleted issue is %i on each of its addresses, and in no list',
  async (gone) => {
    const { app, github, listed } = threads()
    github.deleteIssue(1, gone)
    for (const [request, body] of EVERY)
      expect([request, (await app(request, body)).status]).toEqual([request, gone])
    expect([await listed('/issues'), await listed('/issues/comments')]).toEqual([[], []])
  },
)

test('a renamed repository is found by both names and by its id; only the former one redirects', async () => {
  const { emulator, app, github } = threads()
  github.renameRepository('octo/app', 'octo/new')
  const { id } = github.repo()
  const former = await app('GET /issues/1/comments?page=1')
  expect([former.status, former.headers.get('location')]).toEqual([
    301,
    `${emulator.githubUrl}/repositories/${id}/issues/1/comments?page=1`,
  ])
  for (const base of ['/repos/octo/new', `/repositories/${id}`]) {
    expect((await ask(emulator, `GET ${base}/issues/1/comments`)).list).toHaveLength(1)
    expect((await ask(emulator, `PATCH ${base}/issues/1`, { title: base })).body.title).toBe(base)
  }
  const write = await app('PATCH /issues/1', { title: 'lost' })
  expect([write.status, write.headers.get('location')]).toEqual([
    307,
    `${emulator.githubUrl}/repositories/${id}/issues/1`,
  ])
  expect(github.issue(1).title).toBe(`/repositories/${id}`)
})
