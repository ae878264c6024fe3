import { expect, onTestFinished, test } from 'vitest'
import { ACTIONS, access } from '../../scripts/demo/actions.ts'
import { showConversation } from '../../scripts/demo/conversation.ts'
import { showInsights } from '../../scripts/demo/insights.ts'
import { CONVERSATION } from '../../scripts/demo/scenes.ts'
import { showVisitors } from '../../scripts/demo/visitors.ts'
import { look, overhang, PHONE, useChromium, WIDE } from './helpers.ts'

useChromium()

test('a request is seen from the comment to the pull request, as it happens', async () => {
  const { stage, tab } = await look()
  const playing = showConversation(stage, 'A conversation', CONVERSATION.slice(0, 1))
  const posts = tab.locator('main .post')
  await tab.locator('.markdown-body', { hasText: 'The docs agent is working' }).waitFor()
  await posts.nth(1).getByAltText('👀').waitFor()
  await posts.nth(1).locator('summary', { hasText: 'Source' }).click()
  await posts.nth(2).locator('.markdown-body', { hasText: 'The docs agent opened' }).waitFor()
  await posts.nth(1).getByAltText('🚀').waitFor()
  expect(await playing).toBe('')
  expect(await tab.locator('.markdown-body', { hasText: 'The docs agent is working' }).count()).toBe(0)
  await posts.nth(2).getByRole('link', { name: 'octo/app#77' }).click()
  await tab.getByRole('heading', { level: 1, name: '#77' }).waitFor()
  await tab.locator('.file').getByText('Set `retry` to repeat requests that fail:').waitFor()
  await posts.getByRole('link', { name: '#12' }).click()
  await posts.nth(2).getByRole('link', { name: 'run' }).click()
  await tab.getByRole('heading', { name: 'The docs agent opened octo/app#77' }).waitFor()
})

test.each([WIDE, PHONE])(
  'nothing is wider than the screen, and charts are drawn, at $width',
  async (viewport) => {
    const { stage, tab } = await look(viewport)
    await showConversation(stage, 'A conversation', CONVERSATION.slice(0, 1))
    expect(await showVisitors(stage)).toBe('')
    expect(await showInsights(stage)).toBe('')
    for (const name of [
      'The retry option is not',
      'Document the retry option',
      'visitors of the last',
      'readers missed',
    ]) {
      await tab.goto(new URL('/', tab.url()).href)
      await tab.locator('nav a', { hasText: name }).click()
      await tab.locator('main h1', { hasText: name }).waitFor()
      if (name.startsWith('visitors')) await tab.locator('.chart svg').waitFor()
      expect(await overhang(tab), name).toBe(0)
    }
  },
)

test('a path that is markup stays text, in the table and in the chart', async () => {
  const { stage, tab } = await look()
  const story = await stage.begin('Hostile paths')
  onTestFinished(() => story.emulator.close())
  story.emulator.service.site = { rows: 40 }
  const event = { name: 'schedule', payload: {} }
  const inputs = { ...access(story.emulator), top: '40' }
  await stage.run(story, 'Hostile paths', { action: ACTIONS.visitors, event, inputs, runId: 1 })
  await tab.locator('.summary .chart svg').waitFor()
  expect(await tab.locator('.summary td code', { hasText: 'onerror=alert(1)>' }).count()).toBe(1)
  expect(await tab.locator('.summary .chart text', { hasText: '=alert(1)›' }).count()).toBe(1)
  expect(await tab.locator('main :is(img:not(.emoji), script, iframe, [onerror], a)').count()).toBe(0)
})
