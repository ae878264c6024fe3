import { expect, test } from 'vitest'
import { isRecord } from '../../emulator/http.ts'
import { VERSION } from '../../src/http/fetch.ts'
import { fileText, yamlOf } from './files.ts'

const lock: unknown = JSON.parse(fileText('package-lock.json'))
const packages = isRecord(lock) && isRecord(lock.packages) ? lock.packages : {}

test('the lock file and the changelog have the version of package.json', () => {
  expect(isRecord(lock) ? lock.version : '').toBe(VERSION)
  expect(packages['']).toMatchObject({ version: VERSION })
  expect(fileText('CHANGELOG.md')).toContain(`## ${VERSION}`)
})

test('the lock file names no registry, so that any can serve it', () => {
  expect(fileText('package-lock.json')).not.toContain('"resolved"')
})

test('the lock file is whole: `npm ci` passes on every platform', () => {
  const missing = Object.entries(packages).flatMap(([path, entry]) => {
    const wanted = isRecord(entry) && isRecord(entry.optionalDependencies) ? entry.optionalDependencies : {}
    return Object.keys(wanted).filter(
      (name) => !(`node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages),
    )
  })
  expect(missing).toEqual([])
})

test('what everyone needs has a hash, the Node of each platform too, and nothing has to install itself', () => {
  const needed = Object.entries(packages).filter(
    ([path, entry]) => path !== '' && isRecord(entry) && (entry.optional !== true || /\/node-/.test(path)),
  )
  expect(needed.filter(([path]) => /\/node-/.test(path))).toHaveLength(5)
  const bad = needed.filter(([, entry]) => isRecord(entry) && (!entry.integrity || entry.hasInstallScript))
  expect(bad.map(([path]) => path)).toEqual([])
})

test('every package has a hash, but for builds of the formatter that not every registry serves', () => {
  const without = Object.entries(packages).filter(
    ([path, entry]) => path !== '' && isRecord(entry) && !entry.integrity,
  )
  // npm writes the hash of what it could read, and reads an optional package of another platform from the registry alone.
  const isKnown = (path: string) => /^node_modules\/@biomejs\/cli-[\w-]+$/.test(path)
  expect(without.map(([path]) => path).filter((path) => !isKnown(path))).toEqual([])
  for (const [, entry] of without) expect(entry).toMatchObject({ dev: true, optional: true })
})

test('one copy of undici is all that a bundle can hold', () => {
  expect(Object.keys(packages).filter((path) => /(^|\/)node_modules\/undici$/.test(path))).toHaveLength(1)
})

/** Some of the Feather icons that the Marketplace has, and its colours: see the page below. */
const ICONS = ['bar-chart-2', 'book', 'book-open', 'edit', 'file-text', 'inbox', 'message-square', 'search']
const COLORS = ['white', 'black', 'yellow', 'blue', 'green', 'orange', 'red', 'purple', 'gray-dark']

// https://docs.github.com/actions/reference/workflows-and-actions/metadata-syntax#branding
test.each(['action.yml', 'visitors/action.yml', 'insights/action.yml', 'collect/action.yml'])(
  'the Marketplace takes the metadata of %s',
  (file) => {
    const metadata = yamlOf(file)
    if (!isRecord(metadata) || !isRecord(metadata.branding)) throw new Error('no branding')
    const { name, description, branding } = metadata
    // It becomes the address of the page; what GitHub calls its own is not to be had.
    expect(name).toMatch(/^(?!github|actions)[A-Za-z][\w –-]{1,48}\w$/i)
    expect(description).toMatch(/^\S.{0,122}\S$/)
    expect(ICONS).toContain(branding.icon)
    expect(COLORS).toContain(branding.color)
  },
)
