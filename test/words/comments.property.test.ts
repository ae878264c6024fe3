import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ERROR_REASONS } from '../../src/base/errors.ts'
import { usableLink } from '../../src/base/link.ts'
import { parseCommand } from '../../src/event/command.ts'
import { jobWithId } from '../../src/record/job.ts'
import { ending, OUTCOMES, SKIP_REASONS } from '../../src/record/outcome.ts'
import { EMPTY_REPORT, type Report } from '../../src/record/report.ts'
import {
  refusalComment,
  resultComment,
  runSummary,
  statusComment,
  workingComment,
} from '../../src/words/comments.ts'
import type { MessageOptions } from '../../src/words/phrases.ts'
import { MARKDOWN, runs, textOf } from '../helpers/property.ts'
import { nodesOf, pageTree } from '../helpers/rendered-page.ts'

const hostile = textOf(MARKDOWN, 12)
const links = fc
  .tuple(fc.constantFrom('https://github.com/octo/docs/pull/77', 'https://host.example/'), hostile)
  .map(([start, rest]) => usableLink(start + rest.replace(/[^!-~]/g, '')) ?? '')
const jobs = fc.record({
  id: hostile.map((text) => text.replace(/[^!-~]/g, '') || 'j_1'),
  status: hostile,
  prLink: links,
  isEarlierLink: fc.boolean(),
  unusableLink: fc.boolean(),
  model: hostile,
  repository: hostile,
  ref: hostile,
  createdAt: hostile,
  archivedAt: hostile,
})
const [SKIPPED, FAILED] = ['skipped', 'error'] as const
const endings: fc.Arbitrary<Report> = fc
  .record({
    message: fc.constantFrom('', 'It failed.'),
    note: fc.constant({}),
    job: fc.option(jobs, { nil: undefined }),
    jobAction: fc.constant('created' as const),
    followUp: fc.boolean(),
    requestedBy: fc.constantFrom('', 'alice'),
    prompt: hostile,
    durationMs: fc.nat(),
  })
  .chain((report) =>
    fc
      .oneof(
        fc
          .constantFrom(...OUTCOMES.filter((outcome) => outcome !== SKIPPED && outcome !== FAILED))
          .map((outcome) => ({ outcome, reason: '' as const })),
        fc.constantFrom(...SKIP_REASONS).map((reason) => ({ outcome: SKIPPED, reason })),
        fc.constantFrom(...ERROR_REASONS).map((reason) => ({ outcome: FAILED, reason })),
      )
      .map((ending) => ({ ...report, ...ending })),
  )
const RUN = 'https://github.com/octo/app/actions/runs/1'
const CONTEXT: MessageOptions = {
  command: '/docs',
  timeoutMs: 60_000,
  minPermission: 'write',
  denied: { login: 'alice', has: 'read' },
  runUrl: RUN,
  replies: { thread: 12, onPullRequest: true },
}

/** Elements of our templates; their headings and tables hold no more than text, code and our links. */
const OURS = new Set(['p', 'strong', 'a', 'code', 'details', 'summary', 'pre', 'sub', 'ul', 'li', 'h2'])
const MENTION = /(?<![\w/`])@[a-z\d][\w-]*|[\w-]+\/[\w.-]+#\d+/gi

interface Element {
  readonly type: string
  readonly tagName?: unknown
  readonly value?: unknown
  readonly properties?: { readonly href?: unknown }
  readonly children?: readonly Element[]
}

/** What of a page GitHub would act on: elements, where links lead, and mentions in text that is no code. */
function pageOf(markdown: string) {
  const root: Element = pageTree(markdown)
  const plain = (node: Element): string =>
    node.tagName === 'code' || node.tagName === 'a'
      ? ' '
      : typeof node.value === 'string'
        ? node.value
        : (node.children ?? []).map(plain).join('')
  const elements = nodesOf(root).filter(({ type }) => type === 'element') as Element[]
  return {
    tags: [...new Set(elements.map(({ tagName }) => String(tagName)))],
    links: elements.filter(({ tagName }) => tagName === 'a').map(({ properties }) => properties?.href),
    mentions: plain(root).match(MENTION) ?? [],
    blocks: (root.children ?? []).filter(({ type }) => type === 'element').map(({ tagName }) => tagName),
  }
}

test('5.4 whatever is echoed in a comment is text: no element, link or mention but our own', () => {
  fc.assert(
    fc.property(endings, (ending) => {
      const { tags, links, mentions } = pageOf(resultComment(ending, CONTEXT))
      expect(tags.filter((tag) => !OURS.has(tag))).toEqual([])
      for (const href of links) expect([RUN, ending.job?.prLink].map(decoded)).toContain(decoded(href))
      expect(mentions.filter((login) => login !== '@alice')).toEqual([])
    }),
    runs(300),
  )
})

const JOB = { ...jobWithId('j_1'), status: 'completed', prLink: 'https://github.com/octo/docs/pull/77' }
const ENDED: Report = {
  ...EMPTY_REPORT,
  ...ending('pull-request'),
  ...{ job: JOB, jobAction: 'created', requestedBy: 'alice' },
}

test.each([...MARKDOWN, '@alice-evil', '`</sub>`', '` @mallory `', '![x](https://evil.example/a.png)'])(
  '5.4 a job whose texts are %j mentions no person, and leads to no other page',
  (text) => {
    const shown = text.replace(/[^!-~]/g, '') || 'x'
    const job = { ...JOB, id: shown, status: text, model: text, repository: text, ref: text }
    for (const { outcome, reason } of [ending('pull-request'), ending('timed-out'), ending('failed')]) {
      const { tags, links, mentions } = pageOf(resultComment({ ...ENDED, outcome, reason, job }, CONTEXT))
      expect(tags.filter((tag) => !OURS.has(tag))).toEqual([])
      for (const href of links) expect([RUN, JOB.prLink]).toContain(href)
      expect(mentions.filter((login) => login !== '@alice')).toEqual([])
    }
  },
)

test.each(['a)b', 'a(b', '(a)b', 'a|b', '<b>', '&lt;b', '&#60;b', 'a]b', '[a](b', '`a`', '*a*b', '@mallory'])(
  '5.4 a pull request at …/%s is linked to its end, and its name shows its address',
  (path) => {
    const link = usableLink(`https://host.example/${path}`) ?? ''
    const body = resultComment({ ...ENDED, job: { ...JOB, prLink: link } }, CONTEXT)
    const { tags, links, mentions } = pageOf(body)
    expect(tags.filter((tag) => !OURS.has(tag))).toEqual([])
    expect(links.map(decoded)).toEqual([decoded(link), RUN])
    expect(mentions).toEqual(['@alice'])
  },
)

/** Some characters are encoded on the way, here and by the browser. */
const decoded = (url: unknown): string =>
  String(url).replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

test('5.4 a comment keeps its parts whatever it echoes, and never starts with the command', () => {
  fc.assert(
    fc.property(endings, (ending) => {
      const body = resultComment(ending, CONTEXT)
      expect(pageOf(body).blocks).toEqual(['p', expect.stringMatching(/^(p|sub)$/)])
      expect(parseCommand(body, '/docs')).toBeUndefined()
    }),
    runs(200),
  )
})

const lines = (text: string): string => text.replace(/\r\n?/g, '\n').trim()

const promptOf = (prompt: string): string => {
  const report = { outcome: 'skipped', reason: 'dry-run', message: '', prompt, note: {}, requestedBy: '' }
  return runSummary({ ...report, jobAction: 'none', followUp: false, durationMs: 0 } as Report, CONTEXT)
}

test('2.3 the summary shows a prompt as it is', () => {
  fc.assert(
    fc.property(hostile, (prompt) => {
      fc.pre(prompt !== '')
      const page = nodesOf(pageTree(promptOf(prompt)))
      const [pre, ...more] = page.filter(({ tagName }) => tagName === 'pre')
      expect(more).toEqual([])
      const shown = nodesOf(pre as Parameters<typeof nodesOf>[0]).map(({ value }) => value ?? '')
      expect(lines(shown.join(''))).toBe(lines(prompt))
    }),
    runs(300),
  )
})

const FACT = /^(Pull request|Job|Model|Repository|Ref|Duration: .+|Checks|Merged|Requested by)(: |$)/

test('2.3 whatever is echoed in the summary is text, and the list keeps its facts', () => {
  fc.assert(
    fc.property(endings, (ending) => {
      const summary = runSummary(ending, CONTEXT)
      const { tags, links, mentions } = pageOf(summary)
      expect(tags.filter((tag) => !OURS.has(tag))).toEqual([])
      const { prLink, repository = '' } = ending.job ?? {}
      const own = [prLink, usableLink(repository)].map(decoded)
      for (const href of links) expect(own).toContain(decoded(href))
      expect(mentions).toEqual([])
      const items = nodesOf(pageTree(summary)).filter(({ tagName }) => tagName === 'li')
      expect(items.map(({ children = [] }) => children[0]?.value)).toEqual(
        items.map(() => expect.stringMatching(FACT)),
      )
    }),
    runs(300),
  )
})

test('2.3 the summary shows a prompt up to 50,000 characters, with back-ticks in runs of fifty', () => {
  const whole = 'x'.repeat(50_000)
  expect(promptOf(whole)).toContain(`\n${whole}\n\`\`\``)
  expect(promptOf(`${whole}xy`)).toContain(`\n${whole}\n[cut: 2 more characters]\n`)
  expect(promptOf('`'.repeat(51))).toContain(`\n${'`'.repeat(50)}\n`)
})

test('3.2, 5.4 answers and the status comment echo text only', () => {
  fc.assert(
    fc.property(endings, jobs, (ending, job) => {
      const bodies = [
        statusComment({ ...ending, job, message: '' }, CONTEXT),
        workingComment({ requestedBy: 'alice', runUrl: RUN, startedAt: 0, job }),
        refusalComment(CONTEXT),
      ]
      for (const body of bodies) {
        const { tags, links, mentions } = pageOf(body)
        expect(tags.filter((tag) => !OURS.has(tag))).toEqual([])
        for (const href of links) expect([RUN, job.prLink].map(decoded)).toContain(decoded(href))
        expect(mentions.filter((login) => login !== '@alice')).toEqual([])
      }
    }),
    runs(200),
  )
})
