import { expect, onTestFinished, test, vi } from 'vitest'
import { showRefresh } from '../../scripts/demo/refresh.ts'
import { Stage } from '../../scripts/demo/stage.ts'

test('a month of the weekly example is one issue, one job and one pull request', {
  timeout: 90_000,
}, async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const stage = new Stage()
  expect(await showRefresh(stage)).toBe('')
  const [story] = stage.stories
  onTestFinished(() => story?.emulator.close())
  const outcomes = story?.runs.flatMap(({ result }) => result?.outputs.outcome ?? [])
  expect(outcomes).toEqual(['pull-request', 'pull-request', 'skipped', 'pull-request'])
  const [prompts] = story?.emulator.service.jobs().map((job) => job.prompts) ?? []
  const asked = ['Add a retry option', 'Let API keys expire', 'Read NO_PROXY']
  expect(prompts?.map((prompt) => asked.filter((title) => prompt.includes(title)))).toEqual(
    asked.map((title) => [title]),
  )
  for (const prompt of prompts ?? []) {
    expect(prompt).toMatch(/^\/(guides|reference)\/\w+$/m)
    expect(prompt).toContain('Is there a limit on the number of retries?')
  }
})
