import { expect, test } from 'vitest'
import { showConversation } from '../../scripts/demo/conversation.ts'
import { showInsights } from '../../scripts/demo/insights.ts'
import { CONVERSATION } from '../../scripts/demo/scenes.ts'
import { look, overhang, PHONE, useChromium } from './helpers.ts'

useChromium()

const [first, second] = CONVERSATION

test('a request is seen from the comment to the pull request, as it happens', async () => {
  const { stage, tab } = await look()
  const playing = showConversation(stage, 'A conversation', CONVERSATION.slice(0, 1))
  const posts = tab.locator('main .post')

  await tab.getByText('The docs agent is working').waitFor()
  await tab.locator('#runs a', { hasText: 'alice writes' }).locator('.icon.running').waitFor()
  expect(await posts.nth(1).locator('.reaction').allTextContents()).toEqual(['👀 1'])

  await posts.nth(2).getByText('The docs agent opened').waitFor()
  await posts.nth(1).getByText('🚀 1').waitFor()
  expect(await playing).toBe('')
  await tab.locator('#runs .icon.success').waitFor()
  expect(await tab.getByText('The docs agent is working').count()).toBe(0)
  expect(await posts.nth(2).locator('.head').textContent()).toMatch(/^github-actionsbot/)

  await posts.nth(2).getByRole('link', { name: 'octo/app#77' }).click()
  await tab.getByRole('heading', { level: 1, name: '#77' }).waitFor()
  expect(await tab.locator('.title').textContent()).toContain('mintlify wants to merge 1 commit into main')
  await tab.locator('.files').getByText('Set `retry` to repeat requests that fail:').waitFor()
  await posts.getByRole('link', { name: '#12' }).click()
  await tab.getByRole('heading', { level: 1, name: 'The retry option is not documented' }).waitFor()

  await posts.nth(2).getByRole('link', { name: 'run' }).click()
  await tab.getByRole('heading', { name: 'The docs agent opened octo/app#77' }).waitFor()
  expect(await tab.locator('.log').textContent()).toContain(
    'Pull request: https://github.com/octo/app/pull/77',
  )
})

test('what was unfolded stays so while the thread goes on', async () => {
  const { stage, tab } = await look()
  if (first === undefined || second === undefined) throw new Error('There are two scenes')
  let next = () => {}
  const unfolded = new Promise<void>((resolve) => {
    next = resolve
  })
  const scenes = (async function* () {
    yield first
    await unfolded
    yield { ...second, on: 'issue' as const }
  })()
  const playing = showConversation(stage, 'A conversation', scenes)
  const prompt = tab.locator('main .post', { hasText: 'The docs agent opened' }).locator('details')
  await prompt.locator('summary').click()
  next()
  expect(await playing).toBe('')
  await tab.locator('main .post').nth(4).getByText('finished its work').waitFor()
  expect(await prompt.getAttribute('open')).toBe('')
})

test('the record is hidden, and the source shows it', async () => {
  const { stage, tab } = await look()
  await showConversation(stage, 'A conversation', CONVERSATION.slice(0, 1))
  const result = tab.locator('main .post').nth(2)
  await result.getByText('The docs agent opened').waitFor()
  expect(await result.locator('.box').textContent()).not.toContain('<!--')
  await result.getByRole('button', { name: 'Source' }).click()
  expect(await result.locator('.box').textContent()).toMatch(/<!-- docs-agent.*-->/)
  await result.getByRole('button', { name: 'Source' }).click()
  expect(await result.locator('.box').textContent()).not.toContain('<!--')
})

test('on a phone the lists come first, and nothing is wider than the screen', async () => {
  const { stage, tab } = await look(PHONE)
  await showConversation(stage, 'A conversation', CONVERSATION.slice(0, 1))
  expect(await tab.locator('main').isVisible()).toBe(false)
  for (const name of ['The retry option is not', 'Document the retry option', 'alice writes']) {
    await tab.locator('nav a', { hasText: name }).click()
    await tab.locator('main h1', { hasText: name }).waitFor()
    expect(await overhang(tab), name).toBe(0)
    await tab.getByRole('link', { name: 'Docs agent' }).click()
    await tab.locator('main').waitFor({ state: 'hidden' })
  }
  expect(await overhang(tab)).toBe(0)
})

test('emoji are drawn, so that no machine lacks the font for them', async () => {
  const { stage, tab } = await look()
  await showConversation(stage, 'A conversation', CONVERSATION.slice(0, 1))
  const result = tab.locator('main .post').nth(2)
  const drawn = result.locator('.markdown-body .emoji', { hasText: '✅' }).locator('svg')
  await drawn.waitFor()
  expect((await drawn.boundingBox())?.width).toBeGreaterThan(10)
  expect(await result.locator('.markdown-body').textContent()).toMatch(/^✅ The docs agent opened/)
  await result.getByRole('button', { name: 'Source' }).click()
  expect(await result.locator('.source .emoji').count()).toBe(0)
})

test('a viewer who comes after the end lands on the conversation', async () => {
  const { stage, tab } = await look()
  await showConversation(stage, 'A conversation', CONVERSATION.slice(0, 1))
  expect(await showInsights(stage)).toBe('')
  stage.end('')
  await tab.reload()
  await tab.getByRole('heading', { level: 1, name: 'The retry option is not documented' }).waitFor()
})
