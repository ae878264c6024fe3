import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { readNavigation } from '../../src/analytics/navigation.ts'
import { folder } from '../helpers/analytics.ts'
import { docsJson, OPENAPI, OPENAPI_PAGES, SHAPES } from '../helpers/navigations.ts'

type Files = Readonly<Record<string, unknown>>

/** A workspace with these files. What is no text is written as JSON. */
function workspaceOf(files: Files): string {
  const workspace = folder()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true })
    writeFileSync(join(workspace, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return workspace
}

const read = (files: Files, name = 'docs.json') => readNavigation(name, workspaceOf(files))

async function placesOf(files: Files, name?: string) {
  const { pages } = await read(files, name)
  return [...pages].map(([path, { tab, group, language, version }]) => [path, tab, group, language, version])
}

test.each(Object.entries(SHAPES))(
  '7.7 a navigation of %s gives each page its place',
  async (_, { navigation, pages }) => {
    const expected = pages.map(([path, tab, group, language = '', version = '']) => [
      path,
      tab,
      group,
      language,
      version,
    ])
    expect(await placesOf({ 'docs.json': docsJson(navigation) })).toEqual(expected)
  },
)

const withOpenApi = (openapi: unknown) => docsJson({ tabs: [{ tab: 'API', openapi }] })

test.each([
  ['docs.json', { 'docs.json': withOpenApi('openapi.json'), 'openapi.json': OPENAPI }],
  ['docs.json', { 'docs.json': withOpenApi('/api/openapi.yaml'), 'api/openapi.yaml': stringify(OPENAPI) }],
  [
    'docs/docs.json',
    { 'docs/docs.json': withOpenApi(['o.yml', 'other.yml']), 'docs/o.yml': stringify(OPENAPI) },
  ],
])('7.7 an OpenAPI description of the workspace gives its pages, from %s', async (name, files) => {
  const places = await placesOf(files, name)
  expect(places).toEqual(OPENAPI_PAGES.map(([path, group]) => [path, 'API', group, '', '']))
})

test('7.7 the directory of a description comes first in the paths, and hidden pages are no pages of the navigation', async () => {
  const openapi = { source: 'openapi.json', directory: 'rest' }
  const { pages, others } = await read({ 'docs.json': withOpenApi(openapi), 'openapi.json': OPENAPI })
  expect([...pages.keys()].slice(0, 2)).toEqual(['/rest/users/get-a-user', '/rest/users/get-a-user-1'])
  expect(pages.has('/rest/hidden')).toBe(false)
  expect(others.has('/rest/hidden')).toBe(true)
})

test('7.7 of a description whose operations are named, those alone are pages', async () => {
  const group = {
    group: 'API',
    openapi: 'openapi.json',
    pages: ['api/intro', 'GET /users/{id}', 'webhook order.created'],
  }
  const explicit = { group: 'More', pages: ['openapi.json POST /orders', 'GET /nowhere'] }
  const { pages, unknown } = await read({
    'docs.json': docsJson({ groups: [group, explicit] }),
    'openapi.json': OPENAPI,
  })
  expect([...pages.keys()]).toEqual([
    ...['/api/intro', '/api-reference/users/get-a-user', '/api-reference/order-created'],
    '/api-reference/post-orders',
  ])
  expect(unknown).toEqual(['GET /nowhere'])
})

// As @mintlify/prebuild 1.0.1333 makes them.
test.each([
  [['GET /users/{id}', 'POST /users/{id}'], ['/api-reference/users/get-a-user']],
  [['POST /users/{id}'], ['/api-reference/users/get-a-user']],
  [
    ['GET /slash/', 'GET /slash'],
    ['/api-reference/with-one', '/api-reference/without'],
  ],
  [['PUT /slash'], ['/api/v1']],
])('7.7 an operation that the navigation names has a name of its own: %o', async (named, expected) => {
  const get = (summary: string) => ({ get: { summary } })
  const put = { 'x-mint': { href: '/api/v1.2' } }
  const more = { '/slash': { ...get('Without'), put }, '/slash/': get('With one') }
  const description = { ...OPENAPI, paths: { ...OPENAPI.paths, ...more } }
  const group = { group: 'API', openapi: 'openapi.json', pages: named }
  const { pages } = await read({ 'docs.json': docsJson({ groups: [group] }), 'openapi.json': description })
  expect([...pages.keys()]).toEqual(expected)
})

test('7.7 a description beside pages adds its pages to them', async () => {
  const group = { group: 'API', openapi: 'openapi.json', pages: ['api/intro'] }
  const { pages } = await read({ 'docs.json': docsJson({ groups: [group] }), 'openapi.json': OPENAPI })
  expect(pages.size).toBe(1 + OPENAPI_PAGES.length)
  expect(pages.get('/api-reference/users/get-a-user')).toMatchObject({ group: 'API › People' })
})

test.each([
  [{ tab: 'API', openapi: 'https://example.com/openapi.json' }, 'https://example.com/openapi.json'],
  [{ tab: 'API', openapi: 'missing.yaml' }, 'missing.yaml'],
  [{ tab: 'API', openapi: '../outside.yaml' }, '../outside.yaml'],
  [{ tab: 'API', openapi: 'broken.yaml' }, 'broken.yaml'],
  [{ tab: 'Events', asyncapi: 'asyncapi.yaml' }, 'asyncapi'],
  [{ tab: 'Graph', graphql: 'schema.graphql' }, 'graphql'],
  [{ sourceRef: 'other-repository' }, 'other-repository'],
])('7.7 what makes pages that have no name here is said: %o', async (tab, name) => {
  const tabs = [{ tab: 'Guides', pages: ['guides/start'] }, tab]
  const { pages, unknown } = await read({ 'docs.json': docsJson({ tabs }), 'broken.yaml': 'a: [' })
  expect([...pages.keys()]).toEqual(['/guides/start'])
  expect(unknown).toEqual([name])
})

// As @mintlify/prebuild 1.0.1339 finds them.
const overlay = (more: object) => ({
  overlay: '1.0.0',
  info: { title: 'Names', version: '1' },
  actions: [],
  ...more,
})
test.each<[string, unknown, Files, readonly string[]]>([
  ['beside it', 'o.json', { 'overlay.json': overlay({ extends: 'o.json' }) }, ['o.json']],
  ['in a folder', 'o.json', { 'specs/names.yaml': stringify(overlay({ extends: '../o.json' })) }, ['o.json']],
  [
    'from the root',
    '/o.json',
    { 'specs/names.yml': stringify(overlay({ extends: '/o.json' })) },
    ['/o.json'],
  ],
  ['by its name', { source: 'o.json', overlays: ['a.json'] }, { 'a.json': overlay({}) }, ['o.json']],
  ['by none', { source: 'o.json', overlays: [] }, { 'overlay.json': overlay({ extends: 'o.json' }) }, []],
  ['of another', 'o.json', { 'overlay.json': overlay({ extends: 'other.json' }) }, []],
  ['of no name', 'o.json', { 'overlay.json': overlay({}) }, []],
  [
    'that is none',
    'o.json',
    { 'overlay.json': { extends: 'o.json', note: 'overlay' }, 'x.yaml': 'overlay: [' },
    [],
  ],
])(
  '7.7 pages of a description that an overlay changes have no name here: %s',
  async (_, openapi, files, expected) => {
    const group = { group: 'API', openapi, pages: ['api/intro', 'GET /users/{id}'] }
    const all = { 'docs.json': docsJson({ groups: [group] }), 'o.json': OPENAPI, ...files }
    const { pages, unknown } = await read(all)
    expect(unknown).toEqual(expected)
    expect(pages.has('/api/intro')).toBe(true)
    expect(pages.size).toBe(expected.length === 0 ? 2 : 1)
  },
)

test('7.7 a part of the navigation in another file is read from there, with the fields beside it', async () => {
  const places = await placesOf(
    {
      'docs/docs.json': docsJson({
        tabs: [
          { $ref: './nav/guides.json', tab: 'Guides' },
          { tab: 'API', groups: { $ref: 'nav/groups.json' } },
        ],
      }),
      'docs/nav/guides.json': { tab: 'Other', pages: ['a', { $ref: 'group.json' }] },
      'docs/nav/group.json': { group: 'Inner', pages: ['b'] },
      'docs/nav/groups.json': [{ group: 'First', pages: { $ref: 'pages.json' } }],
      'docs/nav/pages.json': ['c'],
    },
    'docs/docs.json',
  )
  expect(places).toEqual([
    ['/a', 'Guides', '', '', ''],
    ['/b', 'Guides', 'Inner', '', ''],
    ['/c', 'API', 'First', '', ''],
  ])
})

// As @mintlify/validation 0.1.878 resolves them.
test.each([
  ['a field', { languages: [{ $ref: 'nav/en.json', tabs: { $ref: 'nav/tabs.json' } }] }],
  ['a list', { languages: [{ $ref: 'nav/en.json', tabs: [{ $ref: 'nav/tab.json' }] }] }],
  ['a field of a file', { $ref: 'nav/languages.json' }],
  ['a field of each', { $ref: 'nav/languages.json', languages: { $ref: 'nav\\list.json' } }],
  ['none beside a list', { languages: { $ref: 'nav/list.json', more: { $ref: 'gone.json' } } }],
])('7.7 a reference beside another begins in the file in which it stands: %s', async (_, navigation) => {
  const places = await placesOf({
    'docs.json': docsJson(navigation),
    'nav/en.json': { language: 'en', tabs: [{ tab: 'Dropped', pages: ['dropped'] }] },
    'nav/tabs.json': [{ $ref: 'tab.json' }],
    'nav/tab.json': { tab: 'Guides', pages: ['guides/start'] },
    'nav/languages.json': { languages: [{ $ref: 'en.json', tabs: { $ref: 'tabs.json' } }] },
    'nav/list.json': [{ language: 'en', tabs: [{ $ref: 'tab.json' }] }],
  })
  expect(places).toEqual([['/guides/start', 'Guides', '', 'en', '']])
})

test.each<[string, object, Files]>([
  ['all', { redirects: { $ref: 'redirects.json' } }, { 'redirects.json': [{ source: '/old' }] }],
  ['one', { redirects: [{ $ref: 'one.json' }] }, { 'one.json': { source: '/old' } }],
  ['a part', { redirects: [{ $ref: 'more/to.json', source: '/old' }] }, { 'more/to.json': { source: '/x' } }],
])('7.7 redirects can stand in another file: %s', async (_, more, files) => {
  const { redirects } = await read({ 'docs.json': docsJson({ pages: ['a'] }, more), ...files })
  expect(['/old', '/x', '/a'].filter(redirects)).toEqual(['/old'])
})

test('7.7 files that name each other more and more often end the run', async () => {
  const twice = (name: string) => ({ groups: [{ $ref: name }, { $ref: name }], pages: [{ $ref: name }] })
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`${at}.json`, twice(`${at + 1}.json`)] as const),
  )
  const all = { 'docs.json': docsJson({ $ref: '0.json' }), ...files, '30.json': { group: 'G' } }
  await expect(read(all)).rejects.toThrow('has more than 100,000 entries')
})

const pageList = (count: number) => Array.from({ length: count }, (_, at) => `p/${at}`)
const nested = (levels: number): object => ({
  group: 'G',
  pages: levels === 0 ? ['x'] : [nested(levels - 1)],
})

test.each<[string, Files, string, string?]>([
  [
    'mint.json',
    { 'mint.json': { navigation: [{ group: 'A', pages: ['a'] }] } },
    'has the format that came before `docs.json`. Run `npx mint broken-links`, which writes a `docs.json` beside it, and name that file.',
  ],
  [
    'docs.json',
    { 'docs.json': { navigation: [{ group: 'A', pages: ['a'] }] } },
    'has the format that came before',
  ],
  ['docs.json', {}, 'does not exist'],
  ['docs.json', { 'docs.json': '{' }, 'is not JSON'],
  ['docs.json', { 'docs.json': [] }, 'has no `navigation`'],
  ['package.json', { 'package.json': { name: 'x' } }, 'has no `navigation`'],
  ['../docs.json', {}, 'does not exist'],
  [
    'docs.json',
    { 'docs.json': docsJson({ $ref: 'docs.json' }) },
    'leads back to `docs.json`. Remove that `$ref`.',
  ],
  [
    'docs.json',
    {
      'docs.json': docsJson({ $ref: 'a.json' }),
      'a.json': { tabs: [{ $ref: 'b.json' }] },
      'b.json': { $ref: 'a.json' },
    },
    'leads back to `a.json`',
  ],
  ['docs.json', { 'docs.json': docsJson({ $ref: 'a.json' }) }, 'does not exist', 'a.json'],
  ['docs.json', { 'docs.json': docsJson({ $ref: '../../a.json' }) }, 'does not exist', '../../a.json'],
  ['docs.json', { 'docs.json': docsJson({ groups: [nested(60)] }) }, 'is nested more than 50 deep'],
  [
    'docs.json',
    { 'docs.json': docsJson({ groups: Array.from({ length: 100_001 }, () => ({ group: 'G', pages: [] })) }) },
    'has more than 100,000 entries',
  ],
])('7.7 %s: one clear sentence (%o)', async (name, files, fault, file = name) => {
  await expect(read(files, name)).rejects.toThrow(`Input \`navigation-file\` (\`${file}\`) ${fault}`)
})

test('7.7 a link out of the workspace is not followed', async () => {
  const outside = workspaceOf({ 'docs.json': docsJson({ pages: ['a'] }) })
  const workspace = workspaceOf({})
  symlinkSync(join(outside, 'docs.json'), join(workspace, 'docs.json'))
  await expect(readNavigation('docs.json', workspace)).rejects.toThrow('lies outside the workspace')
})

test('7.7 of 3,000 pages each has its place, and names that act nowhere', async () => {
  const pages = [...pageList(2999), 'a"b`c\n<d>|e', 'https://example.com/elsewhere']
  const navigation = await read({
    'docs.json': docsJson({ groups: [{ group: '=cmd()\n::error::\u202e jane@example.com', pages }] }),
  })
  expect(navigation.pages.size).toBe(3000)
  expect([...navigation.pages].at(-1)).toEqual([
    '/a%22b%60c%0A%3Cd%3E%7Ce',
    { tab: '', group: expect.not.stringMatching(/[\n\u202e]|jane/), language: '', version: '' },
  ])
})

// As @mintlify/link-rot 3.0.1381 takes them.
test.each([
  ['/v:major/start', ['/v2/start', '/v10/start'], ['/v2/x/start', '/start', '/w2/start']],
  ['/guides/:name-old', ['/guides/retries-old'], ['/guides/retries', '/guides/a/b-old']],
  ['/blog-:year/:slug*', ['/blog-2026/a/b'], ['/blog/a']],
])('7.7 a parameter can stand within a folder: %s', async (source, led, others) => {
  const { redirects } = await read({ 'docs.json': docsJson({ pages: ['a'] }, { redirects: [{ source }] }) })
  expect([...led, ...others].filter(redirects)).toEqual(led)
})

test.each([
  ['---\ntitle: npm\nurl: "https://www.npmjs.com/package/mint"\n---\n', []],
  ["---\r\nurl: '/guides/start'\r\n---\r\n", []],
  ['---\nurl: https://example.com\n---', []],
  ['---\ntitle: Start\n---\n\nurl: https://example.com\n', ['/guides/npm']],
  ['---\nurl:\ntitle: Start\n---\n', ['/guides/npm']],
  ['---\nurl: "" # later\n---\n', ['/guides/npm']],
  ['---\ncanonical-url: https://example.com\nog:\n  url: https://example.com\n---\n', ['/guides/npm']],
  ['url: https://example.com\n', ['/guides/npm']],
])(
  '7.7 a page whose front matter makes it a link to elsewhere is no page of the navigation: %j',
  async (file, expected) => {
    const files = { 'docs.json': docsJson({ pages: ['guides/npm'] }), 'guides/npm.mdx': file }
    const { pages, others } = await read(files)
    expect([...pages.keys()]).toEqual(expected)
    expect(others.has('/guides/npm')).toBe(true)
  },
)

test('7.7 other pages and files of the docs, and redirects, are told from paths that are nowhere', async () => {
  const redirects = [
    { source: '/old', destination: '/new' },
    { source: '/v1/:slug*', destination: '/v2/:slug*' },
    { source: '/people/:id/edit', destination: '/users' },
    { source: '/*/legacy', destination: '/' },
    { source: 7, destination: '/' },
  ]
  const { others, redirects: leads } = await read(
    {
      'docs/docs.json': docsJson({ pages: ['a'] }, { redirects }),
      ...{ 'docs/hidden.mdx': '', 'docs/images/logo.png': '', 'docs/guides/index.mdx': '', 'README.md': '' },
      'docs/node_modules/x/y.md': '',
    },
    'docs/docs.json',
  )
  expect([...others].toSorted()).toEqual(['/docs.json', '/guides', '/hidden', '/images/logo.png'])
  const paths = [
    '/old',
    '/v1',
    '/v1/a/b',
    '/people/7/edit',
    '/a/b/legacy',
    '/oldy',
    '/v10',
    '/people/edit',
    '/people/7/x/edit',
    '/a',
  ]
  expect(paths.filter(leads)).toEqual(['/old', '/v1', '/v1/a/b', '/people/7/edit', '/a/b/legacy'])
})
