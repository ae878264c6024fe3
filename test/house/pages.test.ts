import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withExamples } from '../../scripts/docs/examples.ts'
import { PAGES } from '../../scripts/docs/files.ts'
import { readContract } from '../../scripts/docs/metadata.ts'
import { placesIn, withTables } from '../../scripts/docs/tables.ts'
import { exists, filesLike, fileText } from './files.ts'

const readme = fileText('README.md')
const REPOSITORY = /^https:\/\/github\.com\/[\w-]+\/docs-agent\/blob\/main\//

/** Targets of links, out of code. */
const linksIn = (markdown: string): string[] =>
  [...markdown.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, target = '']) => target,
  )

const headingsIn = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => slug(text))

/** How GitHub names the anchor of a heading. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

/** Why a link of a page leads nowhere; '' if it does not, or if it leads out of the repository. */
function fault(page: string, target: string): string {
  const inside = target.replace(REPOSITORY, '/')
  if (/^[a-z]+:/.test(inside)) return ''
  const [path = '', anchor = ''] = inside.split('#')
  const base = path.startsWith('/') ? '.' : posix.dirname(page)
  const file = path === '' ? page : posix.join(base, path)
  if (!exists(file)) return `${target}: no file`
  return anchor === '' || headingsIn(fileText(file)).includes(anchor) ? '' : `${target}: no heading`
}

test('there are pages, and the index of docs/ lists all of them', () => {
  expect(PAGES).toEqual(expect.arrayContaining(['README.md', 'SECURITY.md', 'insights/README.md']))
  const listed = linksIn(fileText('docs/README.md')).map((target) => posix.join('docs', target))
  expect(listed).toEqual(expect.arrayContaining(filesLike('docs/!(README).md')))
})

describe.each(PAGES)('%s', (page) => {
  const text = fileText(page)

  test('links only to what exists', () => {
    expect(
      linksIn(text)
        .map((target) => fault(page, target))
        .filter(Boolean),
    ).toEqual([])
  })

  test('has fresh tables and examples', () => {
    expect(withExamples(withTables(text, readContract), fileText)).toBe(text)
  })
})

test('a link that leads nowhere is found', () => {
  expect(fault('README.md', 'docs/none.md')).toContain('no file')
  expect(fault('docs/costs.md', '../README.md#no-such-part')).toContain('no heading')
})

test.each([
  ['README.md', 'action.yml'],
  ['visitors/README.md', 'visitors/action.yml'],
  ['insights/README.md', 'insights/action.yml'],
  ['collect/README.md', 'collect/action.yml'],
])('%s has the tables of %s', (page, metadata) => {
  expect(placesIn(fileText(page))).toEqual([`inputs of ${metadata}`, `outputs of ${metadata}`])
})

test('the index of examples lists each of them', () => {
  const listed = linksIn(fileText('examples/README.md')).filter((target) => target.endsWith('.yml'))
  expect(listed.map((file) => `examples/${file}`).sort()).toEqual(filesLike('examples/*.yml'))
})

describe('README.md', () => {
  test('is at most 12 kB without the generated tables', () => {
    const written = readme.replace(/<!-- (inputs|outputs) of [\s\S]*?<!-- end of \1 -->/g, '')
    expect(Buffer.byteLength(written)).toBeLessThanOrEqual(12_000)
  })

  test('says in its first 40 lines what it is, what you need, and where the workflow goes', () => {
    const first = readme.split('\n').slice(0, 40).join('\n')
    for (const words of [
      'not affiliated',
      '/docs ',
      'credits',
      '90 days',
      '.github/workflows/',
      '<picture>',
      '```yaml',
    ])
      expect(first).toContain(words)
  })

  test('names the two commands to try', () => {
    expect(readme).toMatch(/^npm ci && npm run demo$/m)
    expect(readme).toMatch(/^npm ci && npm test$/m)
  })

  // https://github.com/cicirello/user-statistician/issues/123
  test('has absolute links, which work on the Marketplace page as well', () => {
    expect(
      linksIn(readme).filter((target) => !target.startsWith('https:') && !target.startsWith('#')),
    ).toEqual([])
  })

  test('quotes the workflow to start with', () => {
    expect(readme).toContain('<!-- examples/comment-command.yml -->')
  })
})

test('docs/costs.md: the sums add up, and no example is missing', () => {
  const costs = fileText('docs/costs.md')
  const sums = [...costs.matchAll(/([\d× +]+[×+][\d× +]+) = (\d+)/g)]
  expect(sums.length).toBeGreaterThan(10)
  for (const [text, sum = '', total] of sums) {
    const products = sum
      .split('+')
      .map((product) => product.split('×').reduce((all, one) => all * Number(one), 1))
    expect(
      products.reduce((all, one) => all + one, 0),
      text,
    ).toBe(Number(total))
  }
  const named = filesLike('examples/*.yml').filter((file) => !costs.includes(posix.basename(file)))
  expect(named).toEqual([])
})
