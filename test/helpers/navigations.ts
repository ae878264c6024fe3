/** Each shape that a navigation is published in, and the pages that it names: path, tab, group, language, version. */
interface Shape {
  readonly navigation: object
  readonly pages: readonly (readonly [
    path: string,
    tab: string,
    group: string,
    language?: string,
    version?: string,
  ])[]
}

const groups = (name: string) => [{ group: `Start ${name}`, pages: [`${name}/index`, `${name}/install`] }]

/** Eight groups in each other. */
const deep = (level: number): object => ({
  group: `Level ${level}`,
  pages: level === 8 ? ['deep/end'] : [`deep/level-${level}`, deep(level + 1)],
})

export const SHAPES: Readonly<Record<string, Shape>> = {
  pages: {
    navigation: { pages: ['index', 'guides/start', { group: 'More', pages: ['guides/more'] }] },
    pages: [
      ['/', '', ''],
      ['/guides/start', '', ''],
      ['/guides/more', '', 'More'],
    ],
  },
  groups: {
    navigation: {
      groups: [
        {
          group: 'Guides',
          root: 'guides/index',
          pages: ['guides/start', { group: 'Inner', pages: ['guides/a'] }],
        },
        { group: 'Empty', pages: [] },
        { group: 'Hidden', hidden: true, pages: ['internal/page'] },
      ],
    },
    pages: [
      ['/guides', '', 'Guides'],
      ['/guides/start', '', 'Guides'],
      ['/guides/a', '', 'Guides › Inner'],
      ['/internal/page', '', 'Hidden'],
    ],
  },
  tabs: {
    navigation: {
      global: { anchors: [{ anchor: 'Blog', href: 'https://example.com/blog' }] },
      tabs: [
        { tab: 'Guides', groups: groups('guides') },
        { tab: 'Flat', pages: ['flat/one'] },
        { tab: 'Elsewhere', href: 'https://example.com' },
        {
          tab: 'Menu',
          menu: [
            { item: 'First', pages: ['menu/first'] },
            { item: 'Second', groups: groups('second') },
          ],
        },
      ],
    },
    pages: [
      ['/guides', 'Guides', 'Start guides'],
      ['/guides/install', 'Guides', 'Start guides'],
      ['/flat/one', 'Flat', ''],
      ['/menu/first', 'Menu › First', ''],
      ['/second', 'Menu › Second', 'Start second'],
      ['/second/install', 'Menu › Second', 'Start second'],
    ],
  },
  anchors: {
    navigation: {
      anchors: [
        { anchor: 'Docs', tabs: [{ tab: 'Guides', pages: ['guides/start'] }] },
        { anchor: 'API', groups: groups('api') },
      ],
    },
    pages: [
      ['/guides/start', 'Docs › Guides', ''],
      ['/api', 'API', 'Start api'],
      ['/api/install', 'API', 'Start api'],
    ],
  },
  dropdowns: {
    navigation: {
      dropdowns: [
        { dropdown: 'SDK', anchors: [{ anchor: 'Go', pages: ['go/start'] }] },
        { dropdown: 'CLI', pages: ['cli/start'] },
      ],
    },
    pages: [
      ['/go/start', 'SDK › Go', ''],
      ['/cli/start', 'CLI', ''],
    ],
  },
  products: {
    navigation: {
      products: [
        { product: 'core', name: 'Core', versions: [{ version: '2.0', pages: ['v2/core'] }] },
        { product: 'Edge', dropdowns: [{ dropdown: 'Run', pages: ['edge/run'] }] },
      ],
    },
    pages: [
      ['/v2/core', 'Core', '', '', '2.0'],
      ['/edge/run', 'Edge › Run', ''],
    ],
  },
  versions: {
    navigation: {
      versions: [
        { version: 'v2', default: true, languages: [{ language: 'en', pages: ['v2/start'] }] },
        { version: 'v1', groups: groups('v1') },
      ],
    },
    pages: [
      ['/v2/start', '', '', 'en', 'v2'],
      ['/v1', '', 'Start v1', '', 'v1'],
      ['/v1/install', '', 'Start v1', '', 'v1'],
    ],
  },
  languages: {
    navigation: {
      languages: [
        { language: 'en', tabs: [{ tab: 'Guides', pages: ['guides/start'] }] },
        { language: 'de', tabs: [{ tab: 'Anleitungen', pages: ['de/anleitungen/start', 'de/schlüssel'] }] },
      ],
    },
    pages: [
      ['/guides/start', 'Guides', '', 'en'],
      ['/de/anleitungen/start', 'Anleitungen', '', 'de'],
      ['/de/schlüssel', 'Anleitungen', '', 'de'],
    ],
  },
  'a page twice': {
    navigation: {
      tabs: [
        { tab: 'One', pages: ['both', 'one'] },
        { tab: 'Two', pages: ['both', 'two'] },
      ],
    },
    pages: [
      ['/both', 'One', ''],
      ['/one', 'One', ''],
      ['/two', 'Two', ''],
    ],
  },
  'two lists in one place': {
    navigation: {
      pages: ['dropped/root'],
      tabs: [
        { tab: 'Both', pages: ['dropped/tab'], groups: groups('both') },
        { tab: 'Elsewhere', href: 'https://example.com', pages: ['dropped/link'] },
        { tab: 'Inner', tabs: [{ tab: 'Tab', pages: ['dropped/inner'] }], pages: ['inner/page'] },
        {
          tab: 'Deep',
          anchors: [
            { anchor: 'First', dropdowns: [{ dropdown: 'D', pages: ['deep/d'] }], tabs: groups('dropped') },
          ],
        },
        {
          tab: 'Groups',
          groups: [{ group: 'Outer', pages: ['outer/page'], groups: groups('dropped/group') }],
        },
      ],
      groups: groups('dropped/root'),
    },
    pages: [
      ['/both', 'Both', 'Start both'],
      ['/both/install', 'Both', 'Start both'],
      ['/inner/page', 'Inner', ''],
      ['/deep/d', 'Deep › First › D', ''],
      ['/outer/page', 'Groups', 'Outer'],
    ],
  },
  'eight deep': {
    navigation: { groups: [deep(1)] },
    pages: Array.from({ length: 8 }, (_, at) => [
      at === 7 ? '/deep/end' : `/deep/level-${at + 1}`,
      '',
      Array.from({ length: at + 1 }, (__, level) => `Level ${level + 1}`).join(' › '),
    ]),
  },
  'of no page': { navigation: { groups: [{ group: 'Empty', pages: [] }] }, pages: [] },
}

/** All that the schema asks for beside the navigation. */
export const docsJson = (navigation: object, more: object = {}) => ({
  ...{
    $schema: 'https://mintlify.com/docs.json',
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#1f6feb' },
  },
  navigation,
  ...more,
})

/** An OpenAPI description whose pages have names of each kind, and those names. */
export const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'Acme', version: '1' },
  tags: [{ name: 'users', 'x-group': 'People' }],
  paths: {
    '/users/{id}': {
      get: { summary: 'Get a user', tags: ['users'] },
      post: { summary: 'Get a user', tags: ['users'] },
      delete: { tags: ['users'] },
    },
    '/orders': {
      get: { summary: 'List orders (v2), & more: "all"!', tags: ['Orders & Carts'] },
      post: {},
      put: { summary: 'Hidden', 'x-hidden': true },
      patch: { summary: 'Excluded', 'x-excluded': true },
      head: { summary: 'Elsewhere', 'x-mint': { href: '/custom/heads' } },
    },
    '/last': { post: { 'x-mint': { href: '/custom/v1.2' } }, get: { summary: 'In front' } },
  },
  webhooks: { 'order.created': { post: { summary: 'Order created' } }, 'user gone': { post: {} } },
}

export const OPENAPI_PAGES: readonly (readonly [path: string, group: string])[] = [
  ['/api-reference/users/get-a-user', 'People'],
  ['/api-reference/users/get-a-user-1', 'People'],
  ['/api-reference/users/delete-users', 'People'],
  ['/api-reference/orders-&-carts/list-orders-v2-&-more:-%22all%22!', 'Orders & Carts'],
  ['/api-reference/post-orders', 'API Reference'],
  ['/custom/heads', 'API Reference'],
  ['/api-reference/in-front', 'API Reference'],
  ['/custom/v1', 'API Reference'],
  ['/api-reference/order-created', 'API Reference'],
  ['/api-reference/user-gone', 'API Reference'],
]
