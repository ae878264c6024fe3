import { expect, test } from 'vitest'
import { filesLike, fileText } from './files.ts'

/** Where CONTRIBUTING.md says that a change begins. */
const TABLE = fileText('CONTRIBUTING.md').split('## Common changes')[1]?.split('\n## ')[0] ?? ''
const FILE = /`([\w./-]+\.(?:ts|yml|md|json))`/g
const IN_FILE = /`\w+`(?:(?:, and |, | and | or |, or )`\w+`)* in `([\w./-]+\.ts)`/g

const FILES = filesLike('{action.yml,*.md,{src,test,simulator,emulator,insights,docs}/**/*.{ts,yml,md,json}}')
const matching = (name: string) => FILES.filter((file) => file === name || file.endsWith(`/${name}`))

test('the table of changes names files that are there', () => {
  const named = [...TABLE.matchAll(FILE)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((name) => matching(name).length === 0)).toEqual([])
})

test('the table of changes names what is in these files', () => {
  const named = [...TABLE.matchAll(IN_FILE)].flatMap(([whole, file = '']) =>
    [...whole.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ file, name })),
  )
  expect(named.length).toBeGreaterThan(25)
  const isThere = ({ file, name }: (typeof named)[number]) =>
    matching(file).some((path) => new RegExp(`\\b${name}\\b`).test(fileText(path)))
  expect(named.filter((one) => !isThere(one))).toEqual([])
})
