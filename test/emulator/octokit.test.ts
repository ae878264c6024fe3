import { Octokit } from '@octokit/core'
import { paginateRest } from '@octokit/plugin-paginate-rest'
import { expect, test } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import { emulate } from './helpers.ts'

const Client = Octokit.plugin(paginateRest)

test.each([
  ['over a socket', emulate],
  ['in-process', async () => createEmulator()],
])('GitHub’s own client works with it, %s', async (name, start) => {
  const emulator = await start()
  const { number } = emulator.github.addIssue()
  for (let i = 0; i < 205; i += 1) emulator.github.addComment(number, { login: 'alice', body: `note ${i}` })
  const request = name === 'in-process' ? { fetch: emulator.fetch } : {}
  const client = new Client({ baseUrl: emulator.githubUrl, auth: emulator.settings.token, request })
  const where = { owner: 'octo', repo: 'app' }
  const comments = await client.paginate('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
    ...where,
    issue_number: number,
    per_page: 100,
  })
  expect(comments.map(({ body }) => body).slice(-1)).toEqual(['note 204'])
  expect(emulator.requests).toHaveLength(3)
  const { data } = await client.request('GET /repos/{owner}/{repo}/collaborators/{username}/permission', {
    ...where,
    username: 'renovate[bot]',
  })
  expect(data).toMatchObject({ permission: 'read', user: { login: 'renovate[bot]', type: 'Bot' } })
})
