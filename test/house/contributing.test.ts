import { expect, test } from 'vitest'
import { filesLike, fileText } from './files.ts'

/** The page that leads people through the code. */
const PAGE = fileText('CONTRIBUTING.md')
const FILE = /`([\w./-]+\.(?:ts|yml|md|json))`/g
const FOLDER = /`([\w./-]+\/)`/g
const IN_FILE = /`\w+`(?:(?:, and |, | and | or |, or )`\w+`)* in `([\w./-]+\.ts)`/g

const FILES = filesLike(
  '{action.yml,*.md,{src,test,simulator,emulator,docs,.github/workflows}/**/*.{ts,yml,md}}',
)
const matching = (name: string) => FILES.filter((file) => file === name || file.endsWith(`/${name}`))

test('CONTRIBUTING.md names files and folders that are there, each of them one', () => {
  const named = [...PAGE.matchAll(FILE)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((name) => !(FILES.includes(name) || matching(name).length === 1))).toEqual([])
  const folders = [...PAGE.matchAll(FOLDER)].map(([, name = '']) => name)
  expect(folders.length).toBeGreaterThan(20)
  const isThere = (name: string) =>
    ['dist/', 'src/'].includes(name) ||
    FILES.some((file) => [file, file.replace('src/', '')].some((path) => path.startsWith(name)))
  expect(folders.filter((name) => !isThere(name))).toEqual([])
})

test('CONTRIBUTING.md names what is in these files', () => {
  const named = [...PAGE.matchAll(IN_FILE)].flatMap(([whole, file = '']) =>
    [...whole.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ file, name })),
  )
  expect(named.length).toBeGreaterThan(18)
  const isThere = ({ file, name }: (typeof named)[number]) =>
    matching(file).some((path) => new RegExp(`\\b${name}\\b`).test(fileText(path)))
  expect(named.filter((one) => !isThere(one))).toEqual([])
})

test('CONTRIBUTING.md has a row for each folder of src/, and names each part of .ci/run', () => {
  const section = (heading: string): string => PAGE.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const folders = new Set(filesLike('src/*/**/*.ts').map((file) => `${file.split('/')[1]}/`))
  const rows = [...section('The folders').matchAll(/^\| (`.+?) \|/gm)].map(([, cell = '']) => cell).join(' ')
  expect([...rows.matchAll(FOLDER)].map(([, name = '']) => name).toSorted()).toEqual([...folders].toSorted())
  const parts = /^parts=' (.+) '$/m.exec(fileText('.ci/run'))?.[1]?.split(' ') ?? []
  const shown = [...(PAGE.split('| Part of')[1]?.split('\n\n')[0] ?? '').matchAll(/^\| (`.+?) \|/gm)]
  const cells = shown.flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(cells.toSorted()).toEqual(parts.toSorted())
})
