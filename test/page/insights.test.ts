import { expect, onTestFinished, test } from 'vitest'
import { ACTIONS, access } from '../../scripts/demo/actions.ts'
import { showInsights } from '../../scripts/demo/insights.ts'
import { look, overhang, PHONE, useChromium, WIDE } from './helpers.ts'

useChromium()

test.each([WIDE, PHONE])('the summary shows a table for each kind at a width of $width', async (viewport) => {
  const { stage, tab } = await look(viewport)
  expect(await showInsights(stage)).toBe('')
  await tab.locator('#runs a', { hasText: 'What readers missed' }).click()
  await tab.locator('.summary table').nth(2).waitFor()
  expect(await tab.locator('.summary table').count()).toBe(3)
  expect(await tab.locator('.summary').textContent()).not.toContain('jane.doe')
  expect(await overhang(tab)).toBe(0)
})

test('what readers write stays text', async () => {
  const { stage, tab } = await look()
  const story = await stage.begin('Hostile readers')
  onTestFinished(() => story.emulator.close())
  const result = await stage.run(story, 'Hostile readers', {
    action: ACTIONS.insights,
    event: { name: 'schedule', payload: {} },
    inputs: { ...access(story.emulator), top: '100' },
    runId: 1,
  })
  expect(result.exitCode).toBe(0)
  await tab.locator('.summary td code', { hasText: 'onerror' }).first().waitFor()
  expect(await tab.locator('main :is(img, script, iframe, [onerror], a)').count()).toBe(0)
})
