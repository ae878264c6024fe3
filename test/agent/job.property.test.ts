import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAcceptedJob, parseJob } from '../../src/agent/parse-job.ts'
import { isJobId } from '../../src/request/job.ts'
import { anyText, runs, textOf } from '../helpers/property.ts'

const PIECES =
  'https:// http:// HTTPS: // / @ : user \\ ? # % %2e .. github.com octo docs pull /pull/77 ü [::1] javascript: ( ) < | 99999'
const links = textOf([' ', '\t', '\n', ...PIECES.split(' ')], 10)
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  anyText(),
  links,
  fc.constant('https://a.example/pull/1'),
)

/** An answer of the service in which any field may be anything, or missing. */
const fields = 'id status prLink model source createdAt archivedAt __proto__ constructor'.split(' ')
const answers = fc.oneof(
  fc.json(),
  anyText(),
  fc.dictionary(fc.constantFrom(...fields), anything).map((raw) => JSON.stringify(raw)),
  fc
    .record({ id: fc.constant('j_1'), status: anything, prLink: anything, model: anything, source: anything })
    .map((raw) => JSON.stringify(raw)),
)

/** Contract 2.2, from its words. */
const isUsable = (link: string): boolean =>
  URL.canParse(link) &&
  /^[!-~]+$/.test(link) &&
  /^https:/i.test(link.trim()) &&
  !/^[^/]*\/+[^/]*@/.test(new URL(link).href)

test('4.4 whatever the service answers, a job has the declared shape, or there is none', () => {
  fc.assert(
    fc.property(answers, fc.constantFrom(parseJob, parseAcceptedJob), (answer, read) => {
      const job = read(answer)
      if (job === undefined) return
      const { unusableLink, ...texts } = job
      expect(typeof unusableLink).toBe('boolean')
      expect(Object.keys(job).sort()).toEqual(
        (['archivedAt', 'createdAt', 'id', 'model', 'prLink', 'ref', 'repository', 'status'] as const)
          .concat(['unusableLink'] as never)
          .sort(),
      )
      for (const text of Object.values<string>(texts)) {
        expect(typeof text).toBe('string')
        expect(text).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u)
        expect(text.isWellFormed()).toBe(true)
      }
      expect([isJobId(job.id), read === parseJob && job.status === '']).toEqual([true, false])
      expect(job.prLink === '' || isUsable(job.prLink)).toBe(true)
    }),
    runs(1000),
  )
})

test('1.2 what counts as an id of a job stays one piece of a path', () => {
  fc.assert(
    fc.property(fc.oneof(anyText(), textOf(['.', '..', '/', '%2e', '\\', ' ', 'j_1', '?', '#'], 5)), (id) => {
      if (!isJobId(id)) return
      const url = new URL(`https://host.example/v1/jobs/${encodeURIComponent(id)}/message`)
      expect(url.pathname.split('/')).toHaveLength(5)
      expect(decodeURIComponent(url.pathname.split('/')[3] ?? '')).toBe(id)
    }),
    runs(1000),
  )
})
