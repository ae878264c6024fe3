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

/** The rooms from the ground up: each knows itself, and the rooms before it. */
const ROOMS = [
  'base',
  'http',
  'record',
  'event',
  'inputs',
  'words',
  'github',
  'agent',
  'prompt',
  'thread',
  'features',
  'story',
  'analytics',
]

const roomOf = (file: string): string => file.split('/')[0] ?? ''

/** What the runner starts, beside the rooms; no room knows it. */
const ENTRY = ['index.ts', 'process-deps.ts']

test('each folder is a room, and beside the rooms stands what the runner starts', () => {
  expect(new Set([...IMPORTS.keys()].map(roomOf))).toEqual(new Set([...ROOMS, ...ENTRY]))
})

test.each(ROOMS.map((room, at) => [room, ROOMS.slice(0, at)] as const))(
  '%s/ knows only what lies below it: %j',
  (room, below) => {
    expect(importsOf(room).length).toBeGreaterThan(0)
    expect(importsOf(room).filter((target) => ![room, ...below].includes(roomOf(target)))).toEqual([])
  },
)

test('the name of a file stands once in all rooms', () => {
  const names = Map.groupBy([...IMPORTS.keys()], (file) => posix.basename(file))
  expect([...names.values()].filter((files) => files.length > 1)).toEqual([])
})

const featureOf = (file: string): string | undefined => /^features\/([^/]+)\//.exec(file)?.[1]

const doorOf = (feature = ''): string => `features/${feature}/${feature}.ts`

/** `from → target` for what files of `src/` import from features, where they may not. */
const wrong = (isWrong: (from: string, target: string) => boolean): string[] =>
  [...IMPORTS].flatMap(([from, targets]) =>
    targets
      .filter((target) => featureOf(target) !== undefined && isWrong(from, target))
      .map((target) => `${from} → ${target}`),
  )

test('a feature imports no other feature', () => {
  expect(
    wrong((from, target) => featureOf(from) !== undefined && featureOf(from) !== featureOf(target)),
  ).toEqual([])
})

test('a feature is imported by its door', () => {
  expect(
    wrong((from, target) => featureOf(from) === undefined && target !== doorOf(featureOf(target))),
  ).toEqual([])
})

test.each([...new Set([...IMPORTS.keys()].flatMap((file) => featureOf(file) ?? []))])(
  'the door of %s begins with when it is off',
  (feature) => {
    expect(fileText(`src/${doorOf(feature)}`)).toMatch(/^\/\/ Off \S/)
  },
)

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
