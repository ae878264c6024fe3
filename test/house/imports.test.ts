import { posix } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { filesLike, fileText } from './files.ts'

/** What each file of `src/` imports from `src/`, types included, by its path from there. */
const IMPORTS: ReadonlyMap<string, readonly string[]> = new Map(
  filesLike('src/**/*.ts').map((file) => [
    file.slice('src/'.length),
    ts
      .preProcessFile(fileText(file), true, true)
      .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
      .map(({ fileName }) => posix.join(posix.dirname(file), fileName))
      .filter((target) => target.startsWith('src/'))
      .map((target) => target.slice('src/'.length)),
  ]),
)

const EDGES = [...IMPORTS].flatMap(([from, targets]) => targets.map((to) => ({ from, to })))

/** Each as `from → to`. */
const edges = (from: RegExp, to: RegExp): string[] =>
  EDGES.filter((edge) => from.test(edge.from) && to.test(edge.to)).map((edge) => `${edge.from} → ${edge.to}`)

test('there is something to look at', () => {
  expect(EDGES.length).toBeGreaterThan(100)
  expect(EDGES.filter(({ to }) => !IMPORTS.has(to))).toEqual([])
})

test('nothing imports the entries', () => {
  expect(EDGES.filter(({ to }) => to === 'index.ts')).toEqual([])
})

/** The folders from the ground up: each knows the files beside them and the folders below its own floor. */
const FLOORS: readonly (readonly string[])[] = [
  ['request'],
  ['http', 'event'],
  ['messages'],
  ['github', 'agent'],
  ['analytics', 'thread'],
  ['prompt'],
  ['finish'],
  ['start', 'collect', 'visitors', 'insights'],
]

const KNOWS = Object.fromEntries(
  FLOORS.flatMap((floor, at) => floor.map((part) => [part, FLOORS.slice(0, at).flat()] as const)),
)

test.each(Object.entries(KNOWS))('%s/ knows only what lies below it: %j', (part, known) => {
  const allowed = new RegExp(`^((${[part, ...known].join('|')})/|[\\w-]+\\.ts$)`)
  expect(
    edges(new RegExp(`^${part}/`), /./).filter((edge) => !allowed.test(edge.split(' → ')[1] ?? '')),
  ).toEqual([])
})

test('the decisions about a request do no I/O', () => {
  const pure = /^request\//
  expect(edges(pure, /^(analytics|event|http|github|messages|prompt|run|thread)\//)).toEqual([])
  expect(edges(pure, /^(deps|workspace-file)\.ts$/)).toEqual([])
})

test('the sub-actions do not know each other, and the root action knows none of them', () => {
  const actions = filesLike('*/action.yml').map((file) => file.split('/')[0] ?? '')
  for (const action of actions) {
    const outside = edges(new RegExp(`^(?!${action}/|index\\.ts$)`), new RegExp(`^${action}/`))
    expect(outside).toEqual([])
  }
})

test('imports go one way: no file reaches itself', () => {
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || done.has(file)) return
    for (const target of IMPORTS.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of IMPORTS.keys()) visit(file, [])
  expect(cycles).toEqual([])
})

/** What the files of a folder import from outside it, by the folder. */
const foldersOf = (folder: string): Set<string> =>
  new Set(
    filesLike(`${folder}/**/*.ts`).flatMap((file) =>
      ts
        .preProcessFile(fileText(file), true, true)
        .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
        .map(({ fileName }) => posix.join(posix.dirname(file), fileName).split('/')[0] ?? '')
        .filter((target) => target !== folder),
    ),
  )

test.each([
  ['src', ['package.json']],
  ['emulator', []],
  ['simulator', ['emulator', 'src']],
])('%s/ imports from no other folder but %j', (folder, known) => {
  expect([...foldersOf(folder)].sort()).toEqual(known)
})
