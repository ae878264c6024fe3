import { expect, test } from 'vitest'
import { DEMOS } from '../../scripts/demo/demos.ts'
import { fileText } from './files.ts'

const README = fileText('README.md')
const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length

test('the first workflow of the README comes soon, and the page is short beside its tables', () => {
  expect(README).toContain('```yaml')
  expect(wordsIn(README.split('```yaml')[0] ?? '')).toBeLessThanOrEqual(250)
  expect(wordsIn(README.replace(/^\|.*$/gm, ''))).toBeLessThanOrEqual(1000)
})

test.each(DEMOS.map(({ title }) => title))('the README names the story "%s" of the demo', (title) => {
  expect(README.replace(/\s+/g, ' ')).toContain(`_${title}_`)
})
