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

test('every package has a hash, and none that everyone needs has to install itself', () => {
  const all = Object.entries(packages).flatMap(([path, entry]) => {
    const { integrity, optional, hasInstallScript } = isRecord(entry) ? entry : {}
    return path === '' ? [] : [{ path, integrity, optional, hasInstallScript }]
  })
  expect(all.length).toBeGreaterThan(200)
  expect(all.filter(({ integrity }) => !/^sha512-/.test(String(integrity)))).toEqual([])
  const needed = all.filter(({ path, optional }) => optional !== true || path.includes('/node-'))
  expect(needed.filter(({ path }) => path.includes('/node-'))).toHaveLength(5)
  expect(needed.filter(({ hasInstallScript }) => hasInstallScript)).toEqual([])
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
