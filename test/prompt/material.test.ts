import { expect, test } from 'vitest'
import { promptOf } from '../../src/prompt/material.ts'

const material = {
  command: 'input',
  request: 'Explain retries',
  context: 'Issue #12: Retries',
  place: 'docs/a.mdx, line 3',
  changes: '',
  references: '',
} as const

test('4.1 a new job gets guidelines, request and context, in this order', () => {
  expect(promptOf(material, 'create', 'Do not ask.', Math.random)).toMatch(
    /^Do not ask\.\n\nExplain retries\n\n[^\n]+\n=== reference (\w+)\nIssue #12: Retries\n=== end of reference \1$/,
  )
})

test('4.1 a follow-up gets the request and its place, no guidelines', () => {
  expect(promptOf(material, 'continue', 'Do not ask.', Math.random)).toMatch(
    /^Explain retries\n\n[^\n]+\n=== reference (\w+)\ndocs\/a\.mdx, line 3\n=== end of reference \1$/,
  )
})

test('4.1 what is empty leaves no trace', () => {
  const bare = { ...material, context: '', place: '' }
  expect(promptOf(bare, 'create', '', Math.random)).toBe('Explain retries')
  expect(promptOf(bare, 'continue', 'Do not ask.', Math.random)).toBe('Explain retries')
})
