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
      // A bundle that is loaded when it is needed goes by its name in dist/.
      .map((target) => target.slice('src/'.length).replace(/\.js$/, '.ts')),
  ]),
)

const isEntry = (file: string): boolean => /^(index|post|\w+\/index)\.ts$/.test(file)

const EDGES = [...IMPORTS].flatMap(([from, targets]) => targets.map((to) => ({ from, to })))

/** Each as `from → to`. */
const edges = (from: RegExp, to: RegExp): string[] =>
  EDGES.filter((edge) => from.test(edge.from) && to.test(edge.to)).map((edge) => `${edge.from} → ${edge.to}`)

test('there is something to look at', () => {
  expect(EDGES.length).toBeGreaterThan(100)
  expect(EDGES.filter(({ to }) => !IMPORTS.has(to))).toEqual([])
})

test('nothing imports an entry, but for the post step, which is in the bundle of the main step', () => {
  expect(EDGES.filter(({ to }) => isEntry(to))).toEqual([{ from: 'post.ts', to: 'index.ts' }])
})

/** What each part may know, itself aside; `run`, `visitors` and `collect` tell the stories, and know what they need. */
const KNOWS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  runner: ['core'],
  http: ['core'],
  github: ['core', 'http', 'runner'],
  inputs: ['core', 'http', 'runner'],
  agent: ['core', 'http'],
  trigger: ['core', 'github', 'inputs', 'runner'],
  thread: ['core', 'github', 'runner'],
}

test.each(Object.entries(KNOWS))('%s/ knows only what lies below it: %j', (part, known) => {
  const allowed = new RegExp(`^(${[part, ...known].join('|')})/`)
  expect(
    edges(new RegExp(`^${part}/`), /./).filter((edge) => !allowed.test(edge.split(' → ')[1] ?? '')),
  ).toEqual([])
})

test('the sub-actions do not know each other, and the root action knows none of them', () => {
  expect(edges(/^visitors\//, /^collect\//)).toEqual([])
  expect(edges(/^(?!visitors\/)/, /^visitors\//)).toEqual([])
  expect(edges(/^(?!collect\/)/, /^collect\//)).toEqual([])
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
  // Of the packages, the runner's own command syntax only.
  ['src', ['node_modules']],
  ['emulator', []],
  ['simulator', ['emulator', 'src']],
])('%s/ imports from no other folder but %j', (folder, known) => {
  expect([...foldersOf(folder)].sort()).toEqual(known)
})
