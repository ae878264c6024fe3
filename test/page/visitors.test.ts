import { expect, onTestFinished, test } from 'vitest'
import { ACTIONS } from '../../scripts/demo/actions.ts'
import { showVisitors } from '../../scripts/demo/visitors.ts'
import { look, overhang, PHONE, useChromium, WIDE } from './helpers.ts'

useChromium()

const HOSTILE = '<img src=x onerror=alert(1)>'

test.each([WIDE, PHONE])('the summary shows the chart at a width of $width', async (viewport) => {
  const { stage, tab } = await look(viewport)
  expect(await showVisitors(stage)).toBe('')
  await tab.locator('#runs a', { hasText: 'The visitors of the last 30 days' }).click()
  const chart = tab.locator('.summary .chart svg')
  await chart.waitFor()
  expect(await chart.locator('.bar-plot-0 rect').count()).toBe(5)
  expect(await chart.locator('.bar-plot-1 rect').count()).toBe(5)
  const left = (await chart.boundingBox())?.x ?? 0
  for (const label of await chart.locator('text').all()) {
    expect((await label.boundingBox())?.x, (await label.textContent()) ?? '').toBeGreaterThanOrEqual(left)
  }
  expect(await tab.locator('.summary table').count()).toBe(3)
  expect(await overhang(tab)).toBe(0)
})

test('a path that is markup stays text, in the table and in the chart', async () => {
  const { stage, tab } = await look()
  const story = await stage.begin('Hostile paths')
  onTestFinished(() => story.emulator.close())
  story.emulator.service.site = { rows: 40 }
  const { projectId, apiKey } = story.emulator.settings
  const result = await stage.run(story, 'Hostile paths', {
    action: ACTIONS.visitors,
    event: { name: 'schedule', payload: {} },
    inputs: { 'project-id': projectId, 'api-key': apiKey, top: '40' },
    runId: 1,
  })
  expect(result.exitCode).toBe(0)
  await tab.locator('.summary .chart svg').waitFor()
  expect(await tab.locator('.summary td code', { hasText: HOSTILE }).count()).toBe(1)
  expect(await tab.locator('.summary .chart text', { hasText: '‹img' }).count()).toBe(1)
  expect(await tab.locator('main :is(img, script, iframe, [onerror], a)').count()).toBe(0)
})

test('a comment of a stranger brings no element that could act', async () => {
  const { stage, tab } = await look()
  const { emulator } = await stage.begin('A stranger')
  onTestFinished(() => emulator.close())
  emulator.github.addIssue({ number: 12, title: HOSTILE, body: `${HOSTILE}<script>alert(2)</script>` })
  emulator.github.addComment(12, {
    login: 'mallory',
    body: '<style>*{display:none}</style>\n\n```mermaid\nno chart\n```',
  })
  stage.end('')
  await tab.locator('#threads a').click()
  await tab.getByRole('heading', { level: 1, name: HOSTILE }).waitFor()
  await tab.locator('script[src="/mermaid.js"]').waitFor({ state: 'attached' })
  expect(await tab.locator('.post').count()).toBe(2)
  expect(await tab.locator('.post code').textContent()).toBe('no chart\n')
  expect(await tab.locator('body :is(img, script, style, iframe, [onerror])').count()).toBe(0)
})
