import { expect, onTestFinished, test } from 'vitest'
import { exported, INSIGHTS, VISITORS } from '../../scripts/demo/analytics.ts'
import { conversation } from '../../scripts/demo/conversation.ts'
import { SAME_REPOSITORY } from '../../scripts/demo/demos.ts'
import { CONVERSATION } from '../../scripts/demo/scenes.ts'
import { look, overhang, PHONE, useChromium, WIDE } from './helpers.ts'

useChromium()

test('a request is seen from the comment to the pull request, as it happens', async () => {
  const { stage, tab } = await look()
  const playing = stage.play('A conversation', conversation(CONVERSATION.slice(0, 1)), SAME_REPOSITORY)
  const posts = tab.locator('main .post')
  await tab.locator('.text', { hasText: 'The docs agent is working' }).waitFor()
  await posts.nth(1).getByAltText('👀').waitFor()
  await posts.nth(1).locator('summary', { hasText: 'Source' }).click()
  await posts.nth(2).locator('.text', { hasText: 'Its checks are running' }).waitFor()
  await posts.nth(2).locator('.text', { hasText: 'the agent fixed links first' }).waitFor()
  await posts.nth(1).getByAltText('🚀').waitFor()
  await playing
  expect(await tab.locator('.text', { hasText: 'The docs agent is working' }).count()).toBe(0)
  await posts.nth(2).getByRole('link', { name: 'octo/app#77' }).click()
  await tab.getByRole('heading', { level: 2, name: '#77' }).waitFor()
  const [first, second] = await tab.locator('.commit').all()
  await first?.getByText('✗ links').waitFor()
  await second?.getByText('✓ links').waitFor()
  await second?.getByText('+Only [safe requests](/reference/methods#safe) are repeated.').waitFor()
  await posts.getByRole('link', { name: '#12' }).click()
  await posts.nth(2).getByRole('link', { name: 'run' }).click()
  await tab.getByRole('heading', { name: 'The docs agent opened octo/app#77' }).waitFor()
})

test('what was unfolded stays so while the thread goes on', async () => {
  const { stage, tab } = await look()
  const story = await stage.begin('A story')
  onTestFinished(() => story.end())
  const { emulator } = story
  emulator.github.addIssue({ number: 12, title: 'Retries', body: 'Nobody explains them.' })
  stage.end('')
  await tab.locator('nav a').click()
  const source = tab.locator('main .post').first().locator('details')
  await source.locator('summary').click()
  emulator.github.addComment(12, { login: 'alice', body: 'I would like to know, too.' })
  stage.end('')
  await tab.locator('main .post').nth(1).waitFor()
  expect(await source.getAttribute('open')).toBe('')
})

test('nothing is wider than the screen of a desk or a phone, and charts are drawn', async () => {
  const { stage, tab } = await look()
  await stage.play('A conversation', conversation(CONVERSATION.slice(0, 1)), SAME_REPOSITORY)
  await stage.play(VISITORS.title, exported(VISITORS))
  await stage.play(INSIGHTS.title, exported(INSIGHTS))
  const names = [
    'The retry option is not',
    'Document the retry option',
    'visitors of the last',
    'readers missed',
  ]
  for (const viewport of [WIDE, PHONE]) {
    await tab.setViewportSize(viewport)
    for (const name of names) {
      await tab.goto(new URL('/', tab.url()).href)
      await tab.locator('nav a', { hasText: name }).click()
      await tab.locator('main h2', { hasText: name }).waitFor()
      if (name.includes('visitors')) await tab.locator('code.language-mermaid svg').waitFor()
      expect(await overhang(tab), `${name} at ${viewport.width}`).toBe(0)
    }
  }
})

test('a path that is markup stays text, in the table and in the chart', async () => {
  const { stage, tab } = await look()
  const story = await stage.begin('Hostile paths')
  onTestFinished(() => story.end())
  story.emulator.service.site = { rows: 40 }
  await story.run({ title: 'Hostile paths', action: 'visitors', inputs: { top: '40' } })
  await tab.locator('.summary code.language-mermaid svg').waitFor()
  expect(await tab.locator('.summary td code', { hasText: 'onerror=alert(1)>' }).count()).toBe(1)
  expect(await tab.locator('.summary code.language-mermaid text', { hasText: '=alert(1)›' }).count()).toBe(1)
  expect(await tab.locator('main :is(img:not(.emoji), script, iframe, [onerror], a)').count()).toBe(0)
})
