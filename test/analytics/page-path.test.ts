import fc from 'fast-check'
import { expect, test } from 'vitest'
import { basePathOf, maskedPage, pageOfFile, pagePath, withoutBase } from '../../src/analytics/page-path.ts'
import { MARKDOWN, runs, textOf } from '../helpers/property.ts'

test.each([
  ...['/guides', '/guides/', 'guides', '/guides/index', '/guides/index/', '/guides?utm=x#more', '//guides'],
  ...[
    'https://acme.com/guides',
    'HTTPS://ACME.com/guides/index?q',
    ' /guides\n',
    '/a/../guides',
    '/%67uides',
  ],
])('7.3 %j is the page /guides', (given) => {
  expect(pagePath(given)).toBe('/guides')
})

test.each([...['/', '//', '/index', 'index', '/index/', '/?q=1', 'https://acme.com', 'https://acme.com/']])(
  '7.3 %j is the first page',
  (given) => {
    expect(pagePath(given)).toBe('/')
  },
)

// The provider makes paths of the tags and summaries of an OpenAPI description, and drops only `{}(),.'`, `/` and line breaks.
test.each([
  ['/api/get-a&b', '/api/get-a&b'],
  ['/api/get-a%26b', '/api/get-a&b'],
  ['/api/users:list', '/api/users:list'],
  ['/api/users%3Alist', '/api/users:list'],
  ['/api/c++', '/api/c++'],
  ['/api/stop!', '/api/stop!'],
  ['/api/list[id]', '/api/list[id]'],
  ['/api/list%5Bid%5D', '/api/list[id]'],
  ['/api/`rm`', '/api/%60rm%60'],
  ['/api/%60rm%60', '/api/%60rm%60'],
  ['/de/schlüssel', '/de/schlüssel'],
  ['/de/schl%C3%BCssel', '/de/schlüssel'],
  ['/ja/%E3%81%AF%E3%81%98', '/ja/はじ'],
  ['/api/who-am-i%3F', '/api/who-am-i%3F'],
  ['/api/50%', '/api/50%'],
  ['/api/50%/%C3%BC', '/api/50%/ü'],
  ['/api/a%2Fb', '/api/a%2Fb'],
  ['/api/a|b', '/api/a%7Cb'],
  ['/a//index', '/a'],
  ['/a///index//', '/a'],
  ['/index//', '/'],
])('7.3 %j is the page %j', (given, page) => {
  expect(pagePath(given)).toBe(page)
})

test.each([
  ['/two\nlines `x`', '/two%0Alines%20%60x%60'],
  ['/\u202egpj\ufe0f', '/%E2%80%AEgpj%EF%B8%8F'],
  ['=cmd()', '/=cmd()'],
  ['javascript:alert(1)', ''],
  ['mailto:jane@example.com', ''],
  ['', ''],
  [' \n', ''],
])('7.3 of %j the name is %j', (given, page) => {
  expect(pagePath(given)).toBe(page)
})

test('7.3 a file of the docs has the name of its page', () => {
  const files = ['guides/start.mdx', '/guides/start', 'guides/start/index', 'guides/start.md']
  expect(files.map(pageOfFile)).toEqual(['/guides/start', '/guides/start', '/guides/start', '/guides/start'])
  expect(['index', 'api/who-am-i?', 'api/50%-off', 'api/c#', 'de/schlüssel.mdx'].map(pageOfFile)).toEqual([
    '/',
    '/api/who-am-i%3F',
    '/api/50%25-off',
    '/api/c%23',
    '/de/schlüssel',
  ])
})

test('7.3 whatever visitors ask for, a name has a name of its own, begins with a slash, and holds no sign that acts', () => {
  const pieces = [
    '/',
    '//',
    '..',
    '%2e',
    '%',
    '%C3',
    '?',
    '#',
    'index',
    'https:',
    '\u202e',
    '日',
    '\\',
    ...MARKDOWN,
  ]
  fc.assert(
    fc.property(textOf(pieces, 10), (given) => {
      const page = pagePath(given.toWellFormed())
      if (page === '') return
      expect(page).toMatch(/^\/[^\s\p{C}"<>`^{}|\\?#]*$/u)
      expect(page).not.toMatch(/.\/$|\/index$|\/\.{1,2}(\/|$)/)
      expect(page.split('/').length).toBeLessThan(30)
    }),
    runs(2000),
  )
})

test.each([
  ['/users/jane@example.com', '/users/[email]'],
  ['/users/jane%40example.com/edit', '/users/[email]/edit'],
  ['/cards/4111111111111111', '/cards/[number]'],
  ['/changelog/2026/11/28/10.12.13', '/changelog/2026/11/28/10.12.13'],
  ['/reset/ghp_abcdefghijklmnopqrstuvwxyz0123', '/reset/[key]'],
  ['/guides/authentication', '/guides/authentication'],
])('9.3 of %j, %j is written', (page, shown) => {
  expect(maskedPage(page)).toBe(shown)
})

test('7.3 a base path that URLs have and pages do not', () => {
  const pages = new Set(['/', '/guides', '/api/users', '/docs/start'])
  expect(basePathOf(['/docs/guides'], pages)).toBe('/docs')
  expect(basePathOf(['/ai/docs/guides', '/ai/docs'], pages)).toBe('/ai/docs')
  expect(basePathOf(['/docs/guides', '/guides', '/api/users'], pages)).toBe('')
  expect(basePathOf(['/elsewhere'], pages)).toBe('')
  expect(basePathOf([], pages)).toBe('')
  expect(['/docs/guides', '/docs', '/docsy', '/guides'].map((page) => withoutBase(page, '/docs'))).toEqual([
    '/guides',
    '/',
    '/docsy',
    '/guides',
  ])
  expect(withoutBase('/guides', '')).toBe('/guides')
})
