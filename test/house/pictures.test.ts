import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { exists, fileText, pathOf } from './files.ts'

/** Absolute, since the Marketplace page shows no relative ones. */
const PICTURES = [...fileText('README.md').matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, url = '']) =>
  url.replace(/^https:\/\/raw\.githubusercontent\.com\/[\w-]+\/docs-agent\/main\//, ''),
)

// A download without `.git` is what they are left out of.
test.runIf(exists('.git'))(
  'the README shows a picture for light and one for dark, and says what is on it',
  () => {
    expect(PICTURES).toHaveLength(2)
    expect(PICTURES.filter((path) => !exists(path))).toEqual([])
    expect(fileText('README.md')).toMatch(/<img [^>]*alt="[^"]{100,}"/)
  },
)

test.runIf(exists('.git'))('they are small, and no workflow downloads them', () => {
  expect(PICTURES.reduce((sum, path) => sum + statSync(pathOf(path)).size, 0)).toBeLessThan(70_000)
  expect(fileText('.gitattributes')).toMatch(/^\/\.github\/thread-\*\.webp export-ignore$/m)
  expect(PICTURES.filter((path) => !/^\.github\/thread-[a-z]+\.webp$/.test(path))).toEqual([])
})
