import { expect, test } from 'vitest'
import { describeReferences } from '../../src/prompt/material.ts'

const file = (name: string, text: string) => ({ heading: `File: ${name}`, text, goesOn: false })
const lines = (count: number) => 'a line\n'.repeat(count).trim()

test('4.2 files that fit are whole, in the order of the input', () => {
  const text = describeReferences([file('b', 'long text'), file('a', 'x')], 1000)
  expect(text).toBe('File: b\n\nlong text\n\nFile: a\n\nx')
})

test('4.2 a short file leaves its room to the long ones', () => {
  const text = describeReferences([file('a', lines(400)), file('b', 'short')], 1000)
  expect(text.length).toBeLessThanOrEqual(1000)
  expect(text.length).toBeGreaterThan(900)
  expect(text).toContain('short')
})

test('4.2 long files share the room, each with a note', () => {
  const text = describeReferences([file('a', lines(400)), file('b', lines(200))], 1000)
  expect(text.length).toBeLessThanOrEqual(1000)
  expect(text.match(/\[cut: \d+ more characters\]/g)).toHaveLength(2)
})

test('4.2 hundreds of files stay within the budget', () => {
  const many = Array.from({ length: 300 }, (_, n) => file(`folder/file-${n}`, lines(100)))
  expect(describeReferences(many, 2000).length).toBeLessThanOrEqual(2000)
})

test('4.2 no files, no text', () => {
  expect(describeReferences([], 1000)).toBe('')
})
