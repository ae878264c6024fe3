import { expect, test } from 'vitest'
import { answer } from '../helpers/action.ts'
import { bodies, world } from './conversation-helpers.ts'

test('5.7 on GitHub Enterprise Server requests go to its API, and links to its pages', async () => {
  const emulator = await world({ serverUrl: 'https://github.example.com', docsRepository: 'octo/app' })
  const result = await answer(emulator, '/docs explain')
  expect(result.outputs).toMatchObject({
    outcome: 'pull-request',
    'pr-link': 'https://github.example.com/octo/app/pull/77',
    'comment-url': expect.stringMatching(/^https:\/\/github\.example\.com\/octo\/app\/issues\/12#/),
  })
  const [comment = ''] = bodies(emulator)
  expect(comment).toContain('(https://github.example.com/octo/app/pull/77)')
  expect(comment).toContain('[run](https://github.example.com/octo/app/actions/runs/')
  expect(comment).not.toContain('//github.com')
  expect(emulator.github.comments(77), 'its pull request is known for one of this server').toHaveLength(1)
})
