import * as v from 'valibot'
import { expect, test } from 'vitest'
import { asArray, asObject, type JsonObject } from '../../src/base/json.ts'
import { ask, emulate } from './helpers.ts'

/**
 * The rows as the provider's own client declares them (npm `@mintlify/cli` 4.0.1591, `src/analytics/types.ts`), with the
 * fields that its public API has beyond that. Nothing else may be in them.
 */
const TIME = v.pipe(v.string(), v.isoTimestamp())
const COUNT = v.pipe(v.number(), v.integer(), v.minValue(0))
const FEEDBACK = { id: v.string(), path: v.string(), comment: v.nullable(v.string()) }
const ENTRY = { ...FEEDBACK, createdAt: v.nullable(TIME), status: v.string() }
const ROWS = {
  visitors: v.strictObject({ path: v.string(), human: COUNT, ai: COUNT, total: COUNT }),
  feedback: v.variant('source', [
    v.strictObject({
      ...ENTRY,
      ...{ source: v.literal('code_snippet'), code: v.string() },
      ...{ filename: v.optional(v.string()), lang: v.optional(v.string()) },
    }),
    v.strictObject({ ...ENTRY, source: v.literal('agent') }),
    v.strictObject({
      ...{ ...ENTRY, source: v.picklist(['contextual', 'thumbs_only']) },
      ...{ helpful: v.boolean(), contact: v.nullable(v.string()) },
    }),
  ]),
  conversations: v.strictObject({
    ...{ id: v.string(), timestamp: TIME, query: v.string(), response: v.string() },
    sources: v.array(v.strictObject({ title: v.string(), url: v.pipe(v.string(), v.url()) })),
    ...{ queryCategory: v.nullable(v.string()), pageUrl: v.nullable(v.pipe(v.string(), v.url())) },
    resolutionStatus: v.picklist(['answered', 'unanswered']),
  }),
  searches: v.strictObject({
    ...{ searchQuery: v.string(), hits: COUNT },
    // The client prints it with one decimal and a percent sign.
    ctr: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
    ...{ topClickedPage: v.nullable(v.string()), lastSearchedAt: TIME },
  }),
} as const

const ENDPOINTS = {
  visitors: 'visitors',
  feedback: 'feedback',
  conversations: 'assistant',
  searches: 'searches',
}

async function rowsOf(field: keyof typeof ROWS): Promise<readonly JsonObject[]> {
  const { emulator } = emulate()
  emulator.service.readers = { feedback: 90, conversations: 90, searches: 90 }
  emulator.service.site = { rows: 90 }
  const { body } = await ask(emulator, `GET /v1/analytics/docs/${ENDPOINTS[field]}?limit=90`)
  return asArray(body[field]).map(asObject)
}

test.each(['visitors', 'feedback', 'conversations', 'searches'] as const)(
  'the rows of %s have the fields of the provider’s own types',
  async (field) => {
    const rows = await rowsOf(field)
    expect(rows).toHaveLength(90)
    for (const row of rows) expect(v.safeParse(ROWS[field], row).issues, JSON.stringify(row)).toBeUndefined()
  },
)

test('clicks are a percentage, code stands in feedback on code, and questions have sources', async () => {
  const rates = (await rowsOf('searches')).map(({ ctr }) => Number(ctr))
  expect(Math.max(...rates)).toBeGreaterThan(10)
  const feedback = await rowsOf('feedback')
  const code = feedback.filter(({ source }) => source === 'code_snippet')
  expect(code.length).toBeGreaterThan(5)
  expect(code.filter(({ lang }) => lang === 'ts').length).toBeGreaterThan(0)
  const sources = (await rowsOf('conversations')).map(({ sources }) => asArray(sources).length)
  expect(new Set(sources)).toEqual(new Set([0, 1, 2, 3]))
})
