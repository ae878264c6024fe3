import { describe, expect, test } from 'vitest'
import { runUrlOf } from '../../src/event/trigger.ts'
import { thrownBy } from '../helpers/agent.ts'
import { serve } from '../helpers/server.ts'
import { type Answer, contextOf, forgeAt, gitea, refusal } from './helpers.ts'

const VERSION = { 'GET /version': { json: { version: '1.26.4' } } }

async function opened(answers: Readonly<Record<string, Answer>>, repositoryId = 3) {
  const { apiUrl, calls } = await gitea(answers)
  return { forge: await forgeAt({ apiUrl, repositoryId }), calls }
}

describe('which forge it is', () => {
  test.each(['', '/api/v3', '/api/v1/x'])('GitHub is asked nothing, with the path %j', async (path) => {
    const { url, requests } = await serve((_, response) => response.end('{}'))
    const apiUrl = url + path
    const forge = await forgeAt({ apiUrl, repositoryId: 0 })
    expect(forge).toMatchObject({ repository: { owner: 'octo', repo: 'app' }, repositoryId: 0 })
    expect(requests).toEqual([])
  })

  test.each<[string, Answer]>([
    ['Gitea', { json: { version: '1.26.4' } }],
    ['Forgejo', { json: { version: '11.0.1+gitea-1.22.0' } }],
    ['a server that refuses a token that ended', { status: 401, json: refusal('invalid username') }],
  ])('%s', async (_, answer) => {
    const { forge, calls } = await opened({ 'GET /version': answer })
    expect(forge).toMatchObject({ repositoryId: 3, hasAttemptPages: false })
    expect(calls).toEqual(['GET /version'])
  })

  test.each<[string, Readonly<Record<string, Answer>>]>([
    ['knows no version', {}],
    ['names none', { 'GET /version': { json: {} } }],
  ])('a server that %s is no Gitea', async (_, answers) => {
    const { forge } = await opened(answers)
    expect(forge.hasAttemptPages).toBe(true)
  })
})

test('the repository tells its id where neither runner nor event does', async () => {
  const { forge } = await opened({ ...VERSION, 'GET /repos/octo/app': { json: { id: 42 } } }, 0)
  expect(forge.repositoryId).toBe(42)
})

test('without the id of the repository no record could be found again', async () => {
  expect(await thrownBy(opened(VERSION, 0))).toMatchObject({ httpStatus: 404 })
})

test.each([
  ['1.26.4', '/actions/runs/7'],
  ['1.27.0', '/actions/runs/7/attempts/2'],
  ['1.27.0+dev-12-gabc', '/actions/runs/7/attempts/2'],
  ['1.30.1', '/actions/runs/7/attempts/2'],
  ['11.0.1+gitea-1.22.0', '/actions/runs/7'],
  ['1.27.1+gitea-1.27.0', '/actions/runs/7'],
  ['what', '/actions/runs/7'],
])('a re-run on Gitea %s is at %s', async (version, path) => {
  const { forge } = await opened({ 'GET /version': { json: { version } } })
  expect(runUrlOf(contextOf({}), '7.2', forge)).toBe(`https://forge.example/octo/app${path}`)
  expect(runUrlOf(contextOf({}), '7.1', forge)).toBe('https://forge.example/octo/app/actions/runs/7')
})
