import { expect, test } from 'vitest'
import { filesLike, fileText } from './files.ts'

/** The page that says where a change begins. */
const PAGE = fileText('docs/common-changes.md')
const FILE = /`([\w./-]+\.(?:ts|yml|md|json))`/g
const IN_FILE = /`\w+`(?:(?:, and |, | and | or |, or )`\w+`)* in `([\w./-]+\.ts)`/g

const FILES = filesLike('{action.yml,*.md,{src,test,simulator,emulator,insights,docs}/**/*.{ts,yml,md,json}}')
const matching = (name: string) => FILES.filter((file) => file === name || file.endsWith(`/${name}`))

test('docs/common-changes.md names files that are there', () => {
  const named = [...PAGE.matchAll(FILE)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((name) => matching(name).length === 0)).toEqual([])
})

test('docs/common-changes.md names what is in these files', () => {
  const named = [...PAGE.matchAll(IN_FILE)].flatMap(([whole, file = '']) =>
    [...whole.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ file, name })),
  )
  expect(named.length).toBeGreaterThan(25)
  const isThere = ({ file, name }: (typeof named)[number]) =>
    matching(file).some((path) => new RegExp(`\\b${name}\\b`).test(fileText(path)))
  expect(named.filter((one) => !isThere(one))).toEqual([])
})

test('docs/common-changes.md is a table that people can scan', () => {
  const cells = [...PAGE.matchAll(/^\| (.+) \|$/gm)].flatMap(([, row = '']) => row.split(' | '))
  expect(cells.filter((cell) => cell.length > 200)).toEqual([])
})
