import { statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PICTURES } from '../../scripts/demo/pictures.ts'
import { exists, fileText, pathOf } from './files.ts'

const PAGES: Readonly<Record<string, string>> = {
  thread: 'README.md',
  visitors: 'visitors/README.md',
  insights: 'insights/README.md',
}
/** Absolute, because the Marketplace page shows no relative ones. */
const RAW = /^https:\/\/raw\.githubusercontent\.com\/[\w-]+\/docs-agent\/main\//

/** Words as people see them. */
const plain = (markdown: string): string =>
  markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*`#]/g, '')

// A download without `.git` is what they are left out of.
describe.runIf(exists('.git')).each(PICTURES)('the picture $name', ({ name }) => {
  const page = PAGES[name] ?? ''
  const files = [`.github/${name}-dark.webp`, `.github/${name}-light.webp`]

  test('is on its page, for light and for dark', () => {
    const shown = [...fileText(page).matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, url = '']) => url)
    expect(shown.map((url) => url.replace(RAW, ''))).toEqual(files)
    expect(files.filter((file) => !exists(file))).toEqual([])
  })

  test('has a description that quotes its words', () => {
    const [, alt = ''] = /<img [^>]*alt="([^"]{100,})"/.exec(fileText(page)) ?? []
    const [, quoted = ''] = /: ([^:]*?)\.(?: [A-Z].*)?$/.exec(alt) ?? []
    expect(quoted).toMatch(/\w{3}/)
    expect(plain(fileText(`.github/${name}.txt`))).toContain(quoted)
  })

  test('is small', () => {
    for (const file of files) expect(statSync(pathOf(file)).size, file).toBeLessThan(45_000)
  })
})

test.runIf(exists('.git'))('no workflow downloads pictures and their words', () => {
  expect(fileText('.gitattributes').split('\n')).toEqual(
    expect.arrayContaining(['/.github/*.webp export-ignore', '/.github/*.txt export-ignore']),
  )
})
