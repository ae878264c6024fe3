import { expect, onTestFinished, test } from 'vitest'
import type { Emulator } from '../../emulator/emulator.ts'
import { snapshot } from '../../scripts/demo/page/view/snapshot.ts'
import { Stage, type Story } from '../../scripts/demo/stage.ts'

async function story(): Promise<{
  readonly stage: Stage
  readonly story: Story
  readonly github: Emulator['github']
}> {
  const stage = new Stage()
  const begun = await stage.begin('A story')
  onTestFinished(() => begun.emulator.close())
  return { stage, story: begun, github: begun.emulator.github }
}

test('threads of both repositories stand in the list, each with its state', async () => {
  const { stage, github } = await story()
  github.addIssue({ number: 12 })
  github.addPullRequest({ number: 78, repo: 'octo/docs' })
  github.addPullRequest({ number: 77, repo: 'octo/docs', headRef: 'docs-agent/1' })
  github.closePullRequest(77, { merged: true, repo: 'octo/docs' })
  github.addIssue({ number: 13 })
  const threads = snapshot(stage).stories[0]?.threads ?? []
  expect(threads.map(({ key, state, pull }) => [key, state, pull?.head])).toEqual([
    ['1/octo/app/12', 'open', undefined],
    ['1/octo/app/13', 'open', undefined],
    ['1/octo/docs/77', 'merged', 'docs-agent/1'],
    ['1/octo/docs/78', 'open', 'change-78'],
  ])
})

test('a comment shows who wrote it, who reacted, and its source with what is hidden', async () => {
  const { stage, github } = await story()
  github.addIssue({ number: 12 })
  const { id } = github.addComment(12, {
    login: 'github-actions[bot]',
    body: 'Done, see #12.\n\n<!-- marker -->',
  })
  const repository = github.repository('octo/app')
  for (const login of ['alice', 'bob']) {
    if (repository) github.react(repository, 'issue', id, 'rocket', { login, type: 'User' })
  }
  expect(snapshot(stage).stories[0]?.threads[0]?.posts[1]).toMatchObject({
    author: { login: 'github-actions', isBot: true },
    html: '<p>Done, see <a href="#/1/octo/app/12">#12</a>.</p>',
    source: 'Done, see #12.\n\n<!-- marker -->',
    reactions: [{ emoji: '🚀', logins: ['alice', 'bob'] }],
  })
})

test('the same thread in two stories is two threads', async () => {
  const { stage, story: first } = await story()
  const second = await stage.begin('Another story')
  onTestFinished(() => second.emulator.close())
  for (const { emulator } of [first, second]) emulator.github.addIssue({ number: 12, body: 'See #12.' })
  const posts = snapshot(stage).stories.map(({ threads }) => threads[0]?.posts[0]?.html)
  expect(posts).toEqual(['1', '2'].map((at) => `<p>See <a href="#/${at}/octo/app/12">#12</a>.</p>`))
})

test('a link leads to a pull request from the moment that it exists', async () => {
  const { stage, story: begun } = await story()
  const { github } = begun.emulator
  github.addIssue({ number: 12, body: 'See octo/docs#77.' })
  const html = () => snapshot(stage).stories[0]?.threads[0]?.posts[0]?.html
  expect(html()).toBe('<p>See <span>octo/docs#77</span>.</p>')
  github.addPullRequest({ number: 77, repo: 'octo/docs' })
  expect(html()).toBe('<p>See <a href="#/1/octo/docs/77">octo/docs#77</a>.</p>')
})

test('while the demo plays, the page follows it; after a good end it begins with the conversation', async () => {
  const { stage, story: first } = await story()
  const second = await stage.begin('Another story')
  onTestFinished(() => second.emulator.close())
  const run = { title: 'A run', event: 'schedule', startedAt: 0, log: [] }
  first.runs.push({ ...run, id: 1, thread: { repository: 'octo/app', number: 12 } })
  second.runs.push({ ...run, id: 2, thread: undefined })
  expect(snapshot(stage).focus).toBe('2/run/2')
  stage.end('something is wrong')
  expect(snapshot(stage).focus).toBe('2/run/2')
  stage.end('')
  expect(snapshot(stage).focus).toBe('1/octo/app/12')
})
