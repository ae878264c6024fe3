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

const isRoot = (file: string): boolean => !file.includes('/')

/** Files of the core that know nothing but one another: records, the fold over them, jobs, outcomes. Every room may use them. */
const VALUES = (() => {
  const values = new Set([...IMPORTS.keys()].filter((file) => /^(core|features)\//.test(file)))
  const isValue = (file: string): boolean =>
    (IMPORTS.get(file) ?? []).every((target) => isRoot(target) || values.has(target))
  for (let size = 0; size !== values.size; ) {
    size = values.size
    for (const file of values) if (!isValue(file)) values.delete(file)
  }
  return values
})()

/** The rooms from the ground up: each knows the files beside them, and the rooms below its own floor. */
const FLOORS: readonly (readonly string[])[] = [
  ['http', 'event'],
  ['inputs'],
  ['words'],
  ['github', 'agent'],
  ['prompt'],
  ['core', 'features'],
  ['analytics'],
]

/** They also use one another, and the core calls them. */
const BESIDE_CORE: ReadonlySet<string> = new Set(['prompt', 'core', 'features'])

const KNOWS = Object.fromEntries(
  FLOORS.flatMap((floor, at) => floor.map((part) => [part, FLOORS.slice(0, at).flat()] as const)),
)

test.each(Object.entries(KNOWS))('%s/ knows only what lies below it: %j', (part, known) => {
  const rooms = [part, ...known, ...(BESIDE_CORE.has(part) ? BESIDE_CORE : [])]
  const isAllowed = (target: string): boolean =>
    isRoot(target) || VALUES.has(target) || rooms.some((room) => target.startsWith(`${room}/`))
  expect(importsOf(part).length).toBeGreaterThan(0)
  expect(importsOf(part).filter((target) => !isAllowed(target))).toEqual([])
})

test('the record, the fold over a log, and how a request goes from state to state know nothing of the world', () => {
  expect([...VALUES]).toEqual(
    expect.arrayContaining(['core/record.ts', 'core/fold.ts', 'core/log.ts', 'core/states.ts']),
  )
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

test('the core imports a feature by its door, or what the feature adds to records and to the fold over them', () => {
  const isOpen = (target: string): boolean =>
    target === doorOf(featureOf(target)) || (/\/(record|fold)\.ts$/.test(target) && VALUES.has(target))
  expect(wrong((from, target) => from.startsWith('core/') && !isOpen(target))).toEqual([])
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
