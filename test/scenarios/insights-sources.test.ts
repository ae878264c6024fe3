import { expect, test } from 'vitest'
import type { Readers } from '../../emulator/service/analytics/readers.ts'
import { insightsScene } from '../helpers/analytics.ts'
import { entry, search, turn } from '../helpers/readers.ts'

const DATES = { 'date-from': '2026-07-01', 'date-to': '2026-07-08' }

const NOTHING = { feedback: [], conversations: [], searches: [] }

/** The file without its head, and the summary. */
async function collect(readers: Readers, inputs = {}) {
  const { run, text } = insightsScene({ ...NOTHING, ...readers })
  const { exitCode, log, summary, outputs } = await run({ ...DATES, ...inputs })
  expect(exitCode, log).toBe(0)
  const file = text('insights.md') ?? text('insights.json') ?? ''
  return { file: file.replace(/^#[\s\S]*?(?=\n## )/, '').trim(), summary, outputs }
}

const onCode = { source: 'code_snippet', helpful: undefined, path: '/sdk' } as const

test('9.1 feedback on code goes along with its code, its file and its language, fenced', async () => {
  const code = "fetch('/v1/orders', {\n  method: 'POST',\n})"
  const feedback = [
    entry({ ...onCode, comment: 'This one does not compile.', code, filename: 'orders.ts', lang: 'ts' }),
    entry({ ...onCode, comment: 'This one does not compile.', code: 'client.run()' }),
  ]
  const { file, summary } = await collect({ feedback })
  expect(file).toBe(`## \`/sdk\` (2 readers)

Feedback (1 reader, last on 2026-07-03):

>     This one does not compile.

It is about this code of \`orders.ts\`:

> \`\`\`ts
> fetch('/v1/orders', {
>   method: 'POST',
> })
> \`\`\`

Feedback (1 reader, last on 2026-07-03):

>     This one does not compile.

It is about this code:

> \`\`\`text
> client.run()
> \`\`\``)
  expect(summary).toContain('<li>`This one does not compile.`, about code</li>')
  const json = await collect({ feedback }, { file: 'insights.json' })
  expect(JSON.parse(json.file).pages[0].findings[0].code).toEqual({
    ...{ text: code, file: 'orders.ts', language: 'ts' },
  })
})

test.each([
  ['```\n</details>\n# Heading', 'ts', '> ````ts\n> ```\n> </details>\n> # Heading\n> ````'],
  ['x', 'ts\n# Heading', '> ```text\n> x\n> ```'],
  ['key ghp_abcdefghijklmnopqrstuvwxyz0123', 'sh', '> ```sh\n> key [key]\n> ```'],
])('9.3 code such as %j of the language %j ends no fence and brings no key', async (code, lang, block) => {
  const { file } = await collect({ feedback: [entry({ ...onCode, comment: 'No.', code, lang })] })
  expect(file.endsWith(`:\n\n${block}`)).toBe(true)
})

test('9.1 a question without a page stands under the first page that the assistant named, with all that it named', async () => {
  const sources = ['https://docs.example.com/hooks', '/retries', 'mailto:x@example.com'].map((url) => ({
    ...{ title: 'Page', url },
  }))
  const { file } = await collect({
    conversations: [
      turn({ pageUrl: null, sources }),
      turn({ pageUrl: null, query: 'And how often?' }),
      turn({ sources, query: 'For how long?' }),
    ],
  })
  expect(file).toBe(`## Not on a page

Question that the assistant did not answer (1 reader, last on 2026-07-03):

>     And how often?

## \`/hooks\` (1 reader)

Question that the assistant did not answer (1 reader, last on 2026-07-03):

>     How do I retry?

The assistant named: \`/hooks\` and \`/retries\`.

## \`/retries\` (1 reader)

Question that the assistant did not answer (1 reader, last on 2026-07-03):

>     For how long?

The assistant named: \`/hooks\` and \`/retries\`.`)
})

test('9.1 AI agents are counted apart from readers, and after them', async () => {
  const agent = { source: 'agent', helpful: undefined, comment: 'No schema.' } as const
  const feedback = [
    ...[entry({ ...agent, path: '/agents' }), entry({ ...agent, path: '/agents' })],
    entry({ ...agent, path: '/both' }),
    entry({ path: '/both', comment: 'No schema.' }),
    entry({ path: '/people' }),
  ]
  const { file, summary } = await collect({ feedback })
  expect(file).toContain('## `/both` (1 reader, 1 AI agent)\n\nFeedback, not helpful (1 reader, 1 AI agent,')
  expect(file).toContain('## `/people` (1 reader)')
  expect(file).toContain('## `/agents` (2 AI agents)\n\nFeedback (2 AI agents, last on 2026-07-03):')
  expect([...file.matchAll(/^## `(.*?)`/gm)].map(([, page]) => page)).toEqual(['/both', '/people', '/agents'])
  expect(summary).toContain('| 1<br>1\u00a0AI | `/both`<ul><li>`No schema.`\u00a0AI</li></ul> |')
  expect(summary).toContain('| 2\u00a0AI | `/agents`<ul><li>`No schema.`\u00a0×\u00a02\u00a0AI</li></ul> |')
})

test('9.1 an entry that comes on two pages of a list counts once, by its id', async () => {
  const twice = entry({ id: 'twice' })
  const feedback = Array.from({ length: 250 }, (_, at) =>
    at % 100 === 99 ? twice : entry({ path: '/other' }),
  )
  const asked = turn({ id: 'asked' })
  const term = search({ searchQuery: 'sso', hits: 7 })
  const searches = Array.from({ length: 150 }, (_, at) =>
    at % 100 === 49 ? term : search({ searchQuery: `of ${at}`, hits: 7 }),
  )
  const { file, summary } = await collect(
    { feedback, conversations: [asked, asked], searches },
    { top: '250' },
  )
  expect(file).toContain('## `/retries` (2 readers)\n')
  expect(file).toContain('Feedback, not helpful (1 reader, last on')
  expect(file).toContain('Question that the assistant did not answer (1 reader, last on')
  expect(file).toContain('Search without a click (7 searches, last on 2026-07-03):\n\n>     sso\n')
  expect(summary).toContain('Rows read: feedback 249, questions 1, searches 149')
})

test('9.2 one page has one name, however the service writes it, also below a path of the site', async () => {
  const forms = ['/guides', '/guides/', 'guides/index', 'https://acme.com/docs/guides', '/guides?utm=x']
  const { file, outputs } = await collect({
    feedback: forms.map((path) => entry({ path })),
    conversations: [
      turn({ pageUrl: 'https://acme.com/docs/guides/' }),
      turn({ pageUrl: 'https://acme.com/docs/' }),
    ],
  })
  expect(outputs.pages).toBe('/guides\n/')
  expect(file).toContain('## `/guides` (6 readers)')
})
