import { expect, test } from 'vitest'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { pullRequestOf } from '../../src/link.ts'
import { act, answer, DISPATCH } from '../helpers/action.ts'
import { world as emulated } from './conversation-helpers.ts'

const INPUTS = { reviewers: 'requester, dora\nocto/writers', labels: 'documentation,\nfrom the agent' }

async function world(options: EmulatorOptions = {}) {
  const emulator = await emulated({ docsRepository: 'octo/app', ...options })
  emulator.github.setPermission('dora', 'write')
  emulator.github.access.teams.add('writers')
  return emulator
}

type World = Awaited<ReturnType<typeof world>>

/** What stands on the agent's pull request. */
function set({ github }: World, link = '') {
  const ref = pullRequestOf(link, 'https://github.com')
  const repo = github.repository(`${ref?.owner}/${ref?.repo}`)
  const pull = repo?.pulls.get(ref?.number ?? 0)
  return {
    reviewers: pull?.requestedReviewers,
    teams: pull?.requestedTeams,
    labels: repo?.issues.get(ref?.number ?? 0)?.labels,
  }
}

test('4.11 the pull request gets the person who asked, the others, the team and the labels', async () => {
  const emulator = await world()
  const result = await answer(emulator, '/docs explain', { inputs: INPUTS })
  expect(result.annotations).toEqual([])
  expect(set(emulator, result.outputs['pr-link'])).toEqual({
    reviewers: ['alice', 'dora'],
    teams: ['writers'],
    labels: ['documentation', 'from the agent'],
  })
})

test('4.11 in another repository, where the token can write', async () => {
  const emulator = await world({ docsRepository: 'octo/docs', tokenCoversDocs: true })
  const result = await answer(emulator, '/docs explain', { inputs: INPUTS })
  expect(result.annotations).toEqual([])
  expect(set(emulator, result.outputs['pr-link'])).toMatchObject({
    reviewers: ['alice', 'dora'],
    teams: ['writers'],
  })
})

test('4.11 the author does not review, and no warning says so', async () => {
  const emulator = await world({ prAuthor: 'alice' })
  const result = await answer(emulator, '/docs explain', { inputs: { reviewers: 'requester,dora' } })
  expect(result.annotations).toEqual([])
  expect(set(emulator, result.outputs['pr-link']).reviewers).toEqual(['dora'])
})

test('4.11 on an event without a person, requester is missing, and a warning says so', async () => {
  const emulator = await world()
  const event = { ...DISPATCH, name: 'schedule', payload: {} }
  const result = await act(emulator, { event, inputs: { reviewers: 'requester' } })
  expect(result.annotations).toMatchObject([
    { level: 'warning', message: expect.stringContaining('requester') },
  ])
  expect(set(emulator, result.outputs['pr-link']).reviewers).toEqual([])
})

test('4.11 one wrong name costs the others nothing, and the warning names it', async () => {
  const emulator = await world()
  const inputs = { reviewers: 'requester, nobody-here, octo/strangers', labels: 'docs' }
  const result = await answer(emulator, '/docs explain', { inputs })
  expect(result.outputs.outcome).toBe('pull-request')
  expect(set(emulator, result.outputs['pr-link'])).toMatchObject({ reviewers: ['alice'], labels: ['docs'] })
  expect(result.annotations).toMatchObject([{ level: 'warning' }])
  expect(result.annotations[0]?.message).toMatch(/nobody-here.*strangers.*422.*reviewers/)
  expect(result.annotations[0]?.message).not.toContain('alice')
})

test.each<[string, EmulatorOptions, RegExp]>([
  [
    'a token that may not write',
    { permissions: { pull_requests: 'read', issues: 'read' } },
    /pull-requests: write/,
  ],
  ['another repository', { docsRepository: 'octo/docs' }, /github-token.*another repository/],
])('4.11 %s: one warning names what is missing', async (_, options, warning) => {
  const emulator = await world(options)
  const result = await act(emulator, { inputs: INPUTS })
  expect(result.outputs.outcome).toBe('pull-request')
  expect(result.exitCode).toBe(0)
  expect(result.annotations).toHaveLength(1)
  expect(result.annotations[0]).toMatchObject({ level: 'warning', message: expect.stringMatching(warning) })
})

test('4.11 on another host: one warning says where to set them', async () => {
  const emulator = await world()
  emulator.service.everyTurn = { pr: 'https://gitlab.example.com/octo/docs/-/merge_requests/3' }
  const result = await act(emulator, { inputs: INPUTS })
  expect(result.outputs.outcome).toBe('pull-request')
  expect(result.annotations).toMatchObject([
    { level: 'warning', message: expect.stringMatching(/not on github\.com/) },
  ])
})
