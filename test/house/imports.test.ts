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

const importsOf = (part: string): string[] =>
  [...IMPORTS].filter(([from]) => from.startsWith(`${part}/`)).flatMap(([, targets]) => targets)

/** The folders from the ground up: each knows the files beside them and the folders below its own floor. */
const FLOORS: readonly (readonly string[])[] = [
  ['request'],
  ['http', 'event'],
  ['inputs'],
  ['messages'],
  ['github', 'agent'],
  ['thread'],
  ['prompt'],
  ['checks'],
  ['docs-with-code'],
  ['features'],
  ['run', 'analytics'],
]

const KNOWS = Object.fromEntries(
  FLOORS.flatMap((floor, at) => floor.map((part) => [part, FLOORS.slice(0, at).flat()] as const)),
)

test.each(Object.entries(KNOWS))('%s/ knows only what lies below it: %j', (part, known) => {
  const allowed = new RegExp(`^((${[part, ...known].join('|')})/|[\\w-]+\\.ts$)`)
  expect(importsOf(part).length).toBeGreaterThan(0)
  expect(importsOf(part).filter((target) => !allowed.test(target))).toEqual([])
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
