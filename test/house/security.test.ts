import { expect, test } from 'vitest'
import { fileText } from './files.ts'

const security = fileText('SECURITY.md')
const table = security.split('## Attacks and defences')[1]?.split('\n## ')[0] ?? ''

/** `| attack | defence | [file](path) `name` |` */
const attacks = table
  .split('\n')
  .filter((line) => /^\| (?!Attack |---)/.test(line))
  .map((line) => ({ attack: line.split(' | ')[0]?.slice(2) ?? '', proof: line.split(' | ').at(-1) ?? '' }))

test('SECURITY.md has a table of attacks', () => {
  expect(attacks.length).toBeGreaterThan(20)
})

test.each(attacks)('SECURITY.md names a test that there is: $attack', ({ proof }) => {
  const [, path = '', title = ''] = /^\[\w+\]\((test\/[\w./-]+\.test\.ts)\) `([^`]+)` \|$/.exec(proof) ?? []
  expect(path, proof).not.toBe('')
  expect(fileText(path).includes(title), `${path}: ${title}`).toBe(true)
})
