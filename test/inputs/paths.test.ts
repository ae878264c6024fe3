import { expect, test } from 'vitest'
import { BadInput } from '../../src/base/errors.ts'
import { isInPaths, type PathFilter, pathsOf, readPaths, textOfPaths } from '../../src/inputs/paths.ts'

const read = (text: string): PathFilter | undefined => readPaths((name) => (name === 'paths' ? text : ''))

const filterOf = (...lines: readonly string[]): PathFilter => read(lines.join('\n')) ?? []

const names = (filter: PathFilter, files: readonly string[]): string[] =>
  files.filter((path) => isInPaths(filter, { path, earlierPath: '' }))

/** https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet */
test.each<readonly [lines: readonly string[], included: readonly string[], others: readonly string[]]>([
  [['*'], ['README.md', 'server.rb'], ['docs/README.md']],
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
  [['Octo*'], ['Octocat', 'Octo'], ['octocat']],
])('%j as GitHub documents it', (lines, included, others) => {
  expect(names(filterOf(...lines), [...included, ...others])).toEqual(included)
})

test.each<readonly [string, readonly string[], readonly string[]]>([
  ['src/**\n!**/*.test.ts', ['src/a.ts', 'src/a/b.ts'], ['src/a.test.ts', 'lib/a.ts']],
  ['!src/gen/**\nsrc/**', ['src/gen/a.ts'], ['a.ts']],
  [' docs/** \r\n\r\n\t!docs/a.md\r\n', ['docs/b.md'], ['docs/a.md']],
  ['**/a/**/b', ['a/b', 'x/a/y/z/b'], ['xa/b', 'a/xb', 'ab']],
  ['docs**/a', ['docs/a', 'docs-old/x/a'], ['docsa']],
  ['größe/*👍*.md', ['größe/ü👍.md', 'größe/👍👍.md'], ['größe/.md', 'größe/a/👍.md', 'GRÖSSE/👍.md']],
  ['**/*.yml', ['.github/workflows/ci.yml', '.a.yml'], ['a.yaml']],
  ['app/*/page.ts', ['app/[slug]/page.ts', 'app/a/page.ts'], ['app/page.ts', 'app/a/b/page.ts']],
  ['***', ['a', 'a/b'], []],
  ['a/**/**/b', ['a/b', 'a/x/b', 'a/x/y/z/b'], ['ab', 'a/xb']],
  ['**a', ['a', 'x/a', 'xa'], ['ab']],
  ['src', ['src', 'src/a.ts', 'src/a/b.ts'], ['src.ts', 'lib/src', 'lib/src/a.ts']],
  ['src/api', ['src/api', 'src/api/a.ts'], ['src/api.ts', 'src/api-v2/a.ts', 'src']],
  ['package.json', ['package.json'], ['package.json5', 'app/package.json', 'package-lock.json']],
  ['docs/guides/', ['docs/guides/a.md', 'docs/guides/a/b.md'], ['docs/guides.md', 'docs/a.md']],
  ['**\n!src/gen', ['src/a.ts', 'src/generated.ts'], ['src/gen', 'src/gen/a.ts']],
  ['a#b', ['a#b'], ['a']],
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
  const others = filterOf('app/(a|b)^$.md', 'app/*/*page.svelte')
  expect(names(others, files)).toEqual(['app/[slug]/+page.svelte', 'app/(a|b)^$.md'])
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
  ['src\\**', 'contains `src\\**`, which has a `\\`. Write `/` between folders, and `*`'],
  ['src\\app\\a.ts', 'Write `/` between folders'],
  ['**\\*.md', 'Write `/` between folders'],
  ['C:\\docs', 'Write `/` between folders'],
  ['src/a\\', 'Write `/` between folders'],
  ['/src/**', 'without `/` or `./` before it'],
  ['./src/**', 'without `/` or `./` before it'],
  ['!../src/**', 'contains `!../src/**`, which does not begin at the root'],
  ['docs/*/', 'End it with `/**`'],
  ['# the code', 'contains `# the code`, which has a comment. Write comments above `paths`'],
  ['src/** # the code', 'which has a comment'],
  ['src/**\n#lib/**', 'contains `#lib/**`, which has a comment'],
  ['^src/.*', 'which is a regular expression. Write a pattern such as `src/**`'],
  ['src/.*$', 'which is a regular expression'],
  ['!^src/.*$', 'which is a regular expression'],
  ["- 'docs/**'", 'without dashes and quotes'],
  ['"docs/**"', 'without dashes and quotes'],
  ['**/*.{yml,yaml}', 'Write a line for each'],
  ['src/**, lib/**', 'contains `src/**, lib/**`, which has a comma. Write one pattern a line'],
  ['src/**,!src/test/**', 'Write one pattern a line'],
  ['!!src/**', 'contains `!!src/**`, which negates twice. Write one `!`'],
  ['v\\[1\\].md', 'Write `/` between folders, and `*` for any other sign'],
  // Signs of GitHub's own filter, and names that have them.
  ...[
    ...['*.jsx?', '[CB]at', 'v[12].[0-9]+', '[^a]', '[', ']', '{a}', '}', '?', '+page.svelte', 'a?+'],
    ...['app/[slug]/page.tsx', 'app/[...rest]/page.tsx', 'c++/**', '@(a)?'],
  ].map((pattern) => [pattern, `contains \`${pattern}\`, which has another sign than \`*\``] as const),
  ['app/[slug]/**', 'Write `*` in its place, such as `app/*/page.ts` for `app/[slug]/page.ts`.'],
])('%j is refused, with the remedy', (text, sentence) => {
  expect(() => read(text)).toThrow(BadInput)
  expect(() => read(text)).toThrow(/^Input `paths` [^\n]+\.$/)
  expect(() => read(text)).toThrow(sentence)
})

test.each([
  ['whole', 40, 98, undefined],
  [
    'refused',
    41,
    98,
    'Input `paths` has 4,098 bytes. There is room for 4,000: name a folder in place of its files.',
  ],
  ['refused where they are not ASCII', 20, 120, 'has 4,838 bytes'],
])('of %s patterns, a record has room for all: %i of %i signs', (_, many, length, sentence) => {
  const lines = Array.from({ length: many }, () => (many === 20 ? 'ü' : 'a').repeat(length))
  if (sentence === undefined) expect(pathsOf(textOfPaths(filterOf(...lines)))).toHaveLength(many)
  else expect(() => filterOf(...lines)).toThrow(sentence)
})

test('a space behind `!` is none of the pattern', () => {
  expect(names(filterOf('**', '! src/**'), ['src/a.ts', 'lib/a.ts'])).toEqual(['lib/a.ts'])
})

/** A name that counts how often it is read. */
function countedName(text: string) {
  const counted = { reads: 0, name: text }
  const get = (_: object, key: PropertyKey) => {
    counted.reads++
    const value: unknown = Reflect.get(Object(text), key)
    return typeof value === 'function' ? value.bind(text) : value
  }
  counted.name = new Proxy({}, { get }) as unknown as string
  return counted
}

test.each<[string, readonly string[], string]>([
  ['100 patterns', Array.from({ length: 100 }, () => '**/*a'), `${'a'.repeat(3999)}b`],
  ['100 patterns, and many folders', Array.from({ length: 100 }, () => '**/*a'), `${'a/'.repeat(2000)}b`],
  ['one star after the other', [`${'*a'.repeat(200)}b`], 'a'.repeat(4000)],
  ['folders of any number', [`${'**/'.repeat(100)}b`], `${'a/'.repeat(2000)}c`],
  ['all of them', ['**/a/**/a/**/a/**/a/**/b', '**/*a*a*a*b'], `${'a'.repeat(400)}/${'aa/'.repeat(300)}`],
])('%s: each part of a pattern goes over the name once', (_, patterns, name) => {
  const { length: parts } = patterns.join('').match(/\*+|[^*]+/g) ?? []
  const counted = countedName(name)
  expect(isInPaths(filterOf(...patterns), { path: counted.name, earlierPath: '' })).toBe(false)
  expect(counted.reads).toBeGreaterThan(name.length)
  expect(counted.reads).toBeLessThanOrEqual((parts ?? 0) * (name.length + 1) * 3 + patterns.length)
})
