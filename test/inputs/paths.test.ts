import { expect, test } from 'vitest'
import { BadInput } from '../../src/errors.ts'
import { isInPaths, type PathFilter, readPaths } from '../../src/inputs/paths.ts'

const read = (text: string): PathFilter | undefined => readPaths((name) => (name === 'paths' ? text : ''))

const filterOf = (...lines: readonly string[]): PathFilter => read(lines.join('\n')) ?? []

const names = (filter: PathFilter, files: readonly string[]): string[] =>
  files.filter((path) => isInPaths(filter, { path, earlierPath: '' }))

/** https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet */
test.each<readonly [lines: readonly string[], included: readonly string[], others: readonly string[]]>([
  [['*'], ['README.md', 'server.rb'], ['docs/README.md']],
  [['*.jsx?'], ['page.js', 'page.jsx'], ['page.jsxx', 'page.ts', 'src/page.js']],
  [['**'], ['all/the/files.md', 'README.md'], []],
  [['*.js'], ['app.js', 'index.js'], ['src/app.js', 'app.jsx']],
  [['**.js'], ['index.js', 'js/index.js', 'src/js/app.js'], ['src/app.jsx']],
  [['docs/*'], ['docs/README.md', 'docs/file.txt'], ['docs/mona/octocat.txt', 'README.md']],
  [['docs/**'], ['docs/README.md', 'docs/mona/octocat.txt'], ['docs.md', 'src/docs/a.md']],
  [
    ['docs/**/*.md'],
    ['docs/README.md', 'docs/mona/hello-world.md', 'docs/a/markdown/file.md'],
    ['docs/a.txt', 'docs.md'],
  ],
  [
    ['**/docs/**'],
    ['docs/hello.md', 'dir/docs/my-file.txt', 'space/docs/plan/space.doc'],
    ['mydocs/a.md', 'docs'],
  ],
  [['**/README.md'], ['README.md', 'js/README.md'], ['OLD-README.md', 'js/README.md/a']],
  [['**/*src/**'], ['a/src/app.js', 'my-src/code/js/app.js'], ['src.js', 'my-src-2/a.js']],
  [['**/*-post.md'], ['my-post.md', 'path/their-post.md'], ['post.md']],
  [
    ['**/migrate-*.sql'],
    ['migrate-10909.sql', 'db/migrate-v1.0.sql', 'db/sept/migrate-v1.sql'],
    ['migrate.sql'],
  ],
  [['*.md', '!README.md'], ['hello.md'], ['README.md', 'docs/hello.md']],
  [['*.md', '!README.md', 'README*'], ['hello.md', 'README.md', 'README.doc'], ['a.doc']],
  // Its examples of branches and of single signs.
  [['feature/*'], ['feature/my-branch', 'feature/your-branch'], ['feature/mona/the/octocat']],
  [['*feature'], ['mona-feature', 'feature', 'ver-10-feature'], ['features']],
  [['v2*'], ['v2', 'v2.0', 'v2.9'], ['v1']],
  [['v[12].[0-9]+.[0-9]+'], ['v1.10.1', 'v2.0.0'], ['v3.0.0', 'v1.10.', 'v1x0.1']],
  [['[CB]at'], ['Cat', 'Bat'], ['cat', 'at', 'CBat']],
  [['[1-2]00'], ['100', '200'], ['300']],
  [['Octo*'], ['Octocat', 'Octo'], ['octocat']],
])('%j as GitHub documents it', (lines, included, others) => {
  expect(names(filterOf(...lines), [...included, ...others])).toEqual(included)
})

test.each<readonly [string, readonly string[], readonly string[]]>([
  ['src/**\n!**/*.test.ts', ['src/a.ts', 'src/a/b.ts'], ['src/a.test.ts', 'lib/a.ts']],
  ['!src/gen/**\nsrc/**', ['src/gen/a.ts'], ['a.ts']],
  [' docs/** \r\n\r\n\t!docs/a.md\r\n', ['docs/b.md'], ['docs/a.md']],
  ['a+b?c', ['aabc', 'ac'], ['a+b?c', 'bc', 'abbc']],
  ['**/a/**/b', ['a/b', 'x/a/y/z/b'], ['xa/b', 'a/xb', 'ab']],
  ['docs**/a', ['docs/a', 'docs-old/x/a'], ['docsa']],
  ['größe/?ü+.md', ['größe/üü.md', 'größeü.md'], ['größe/.md']],
  ['[0-9a-z]+👍?.md', ['7z👍.md', 'a.md'], ['A.md', '👍.md']],
  ['**', ['a\nb', 'a\u2028b', '\\', '日本/語'], []],
])('%j', (text, included, others) => {
  expect(names(read(text) ?? [], [...included, ...others])).toEqual(included)
})

test('signs of patterns in the name of a file are plain characters', () => {
  const files = [
    'app/[slug]/+page.svelte',
    'app/*.md',
    'app/{a,b}.md',
    'app/!x',
    '!x',
    'app/(a|b)^$.md',
    'a?',
  ]
  expect(names(filterOf('app/**'), files)).toEqual(files.filter((file) => file.startsWith('app/')))
  const escaped = filterOf('app/\\[slug\\]/\\+page.*', '\\!x', 'a\\?', 'app/(a|b)^$.md')
  expect(names(escaped, [...files, 'app/s/page.svelte', 'x', 'a'])).toEqual([
    'app/[slug]/+page.svelte',
    '!x',
    'app/(a|b)^$.md',
    'a?',
  ])
})

test.each([
  ['src/a.ts', 'lib/a.ts', true],
  ['lib/a.ts', 'src/a.ts', true],
  ['lib/a.ts', 'lib/b.ts', false],
  ['src/a.test.ts', 'src/a.ts', true],
  ['src/a.test.ts', '', false],
])('of a renamed file both names count: %s, before %j', (path, earlierPath, expected) => {
  expect(isInPaths(filterOf('src/**', '!**/*.test.ts'), { path, earlierPath })).toBe(expected)
})

test.each(['', ' \n \r\n'])('%j is not given', (text) => {
  expect(read(text)).toBeUndefined()
})

test.each<readonly [string, string]>([
  ['!', 'contains `!`, which negates nothing. Write a pattern after `!`.'],
  [
    '!src/**\n!lib/**',
    'has only patterns with `!`. Write one without `!` above them, such as `**` for all files.',
  ],
  ['*\n'.repeat(300), 'has 300 patterns. Write at most 100, such as `src/**` for all files of a folder.'],
  ['*\n'.repeat(101), 'has 101 patterns'],
  [`src/${'x'.repeat(500)}`, 'more than 500 characters'],
  ['src\\**', 'contains `src\\**`, which has a `\\`. Write `/` between folders'],
  ['src\\app\\a.ts', 'Write `/` between folders'],
  ['**\\*.md', 'Write `/` between folders'],
  ['C:\\docs', 'Write `/` between folders'],
  ['src/a\\', 'Write `/` between folders'],
  ['/src/**', 'without `/` or `./` before it'],
  ['./src/**', 'without `/` or `./` before it'],
  ['!../src/**', 'contains `!../src/**`, which does not begin at the root'],
  ['docs/', 'End it with `/**`'],
  ["- 'docs/**'", 'without dashes and quotes'],
  ['"docs/**"', 'without dashes and quotes'],
  ['**/*.{yml,yaml}', 'write a line for each'],
  ['src/**, lib/**', 'contains `src/**, lib/**`, which has a comma. Write one pattern a line'],
  ['src/**,!src/test/**', 'Write one pattern a line'],
  ...[
    '[',
    '[]',
    'a[b',
    'a]b',
    '[^a]',
    '[!a]',
    '[z-a]',
    '[a-Z]',
    '[a-]',
    '[_]',
    '[a-zß]',
    '[[a]]',
    '[a/b]',
  ].map(
    (pattern) => [pattern, `contains \`${pattern}\`, which has a \`[\` or \`]\` that makes no list`] as const,
  ),
  ...['?', '+page', '*+', '**?', 'a?+', 'a++', 'src/+page.svelte'].map(
    (pattern) => [pattern, `contains \`${pattern}\`, in which \`?\` or \`+\` follows no character`] as const,
  ),
])('%j is refused, with the remedy', (text, sentence) => {
  expect(() => read(text)).toThrow(BadInput)
  expect(() => read(text)).toThrow(/^Input `paths` [^\n]+\.$/)
  expect(() => read(text)).toThrow(sentence)
})

test('a space behind `!` is none of the pattern', () => {
  expect(names(filterOf('**', '! src/**'), ['src/a.ts', 'lib/a.ts'])).toEqual(['lib/a.ts'])
})

test('a matcher that goes back would not end on these names', () => {
  const filter = filterOf(
    `${'**a*'.repeat(50)}b`,
    `${'a?'.repeat(150)}${'a+'.repeat(50)}b`,
    `${'**/'.repeat(100)}b`,
  )
  const hostile = ['a'.repeat(4000), `${'a/'.repeat(2000)}c`, `${'a'.repeat(400)}/${'aa/'.repeat(300)}`]
  expect(names(filter, hostile)).toEqual([])
})
