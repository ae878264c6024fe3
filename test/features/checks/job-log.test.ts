import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerptOf, failedStep } from '../../../src/features/checks/job-log.ts'
import { processorMs } from '../../helpers/processor-time.ts'

const TIME = '2026-01-01T09:00:00.1234567Z '
/** As GitHub stores them. */
const log = (...lines: readonly string[]): string =>
  `\ufeff${lines.map((line) => `${TIME}${line}\n`).join('')}`

const HEADER = [
  ...['##[group]Run mint broken-links', '\x1b[36;1mmint broken-links\x1b[0m', 'shell: /usr/bin/bash -e {0}'],
  ...['env:', '  DOCS_HOST: internal.example', '##[endgroup]'],
]
const EXIT = '##[error]Process completed with exit code 1.'
const END = 'error: Process completed with exit code 1.'
const AFTER = ['Post job cleanup.', '##[group]Run tar', 'tar --version', '##[endgroup]', 'Cleaning up']

const step = (...output: readonly string[]) =>
  failedStep(log(...HEADER, ...output, EXIT, ...AFTER), ['test-key'])

test.each<[string, readonly string[], readonly string[]]>([
  [
    'the list of the checker',
    ['found 1 broken links in 1 files', '', 'guide/start.mdx', '\u00a0⎿\u00a0\u00a0/retries', ''],
    ['found 1 broken links in 1 files', 'guide/start.mdx', '\u00a0⎿\u00a0\u00a0/retries'],
  ],
  ['lines of other steps before it', ['own'], ['own']],
  ['groups that it makes', ['a', '##[group]Pages', 'b', '##[endgroup]', 'c'], ['a', 'Pages', 'b', 'c']],
  ['an earlier error', ['a', '##[error]first', 'b'], ['a', 'error: first', 'b']],
  ['warnings, without their marks', ['##[warning]old link'], ['old link']],
  ['nothing of debug logging', ['a', '##[debug]DOCS_HOST=internal.example', 'b'], ['a', 'b']],
  ['a line that comes again next to the error', ['a', 'b', 'a', 'b', 'a', 'c'], ['b', 'a', 'c']],
  ['no colours', ['\x1b[31;1mred\x1b[0m \x1b[38;5;9mlight\x1b[m'], ['red light']],
  ['no links of terminals', ['\x1b]8;;https://evil.example\x07page\x1b]8;;\x1b\\'], ['page']],
  ['no cursor', ['\x1b[2K\x1b[1A\x1b[Gfound 2', '\x9b31mC1\x9b0m'], ['found 2', 'C1']],
  ['what overwrote a line', ['10 %\r50 %\r100 %', 'windows\r'], ['100 %', 'windows']],
  ['no hidden text', ['a\u200bb\u{e0041}c'], ['abc']],
  ['no secret', ['key test-key, test%2Dkey and test\x1b[0m-key'], ['key ***, *** and ***']],
  ['no mail address', ['ask jane@example.com'], ['ask [email]']],
  ['no key', [`token mint_${'a1'.repeat(8)}`], ['token [key]']],
  ['no long number', ['card 4111 1111 1111 1111'], ['card [number]']],
  [
    'no private key, which has several lines',
    ['a', '-----BEGIN PRIVATE KEY-----', 'AAAA', 'BBBB', '-----END PRIVATE KEY-----', 'b'],
    ['a', '[key]', 'b'],
  ],
])('4.12 of the failing step go: %s', (_, output, expected) => {
  expect(step(...output)).toEqual([...expected, END])
})

const SECRETIVE = ['  TOKEN: internal-value', 'internal-value']

test.each<[string, readonly string[]]>([
  ['its header', [...HEADER, 'output', EXIT]],
  ['headers of steps before it', [...HEADER, 'before', ...HEADER, 'output', EXIT]],
  [
    'a header with a variable that ends the group',
    ['##[group]Run x', 'env:', '  A: b', '##[endgroup]', ...SECRETIVE, '##[endgroup]', 'output', EXIT],
  ],
  [
    'a header with a variable that begins a group',
    ['##[group]Run x', 'env:', '  A: b', '##[group]y', ...SECRETIVE, '##[endgroup]', 'output', EXIT],
  ],
  ['a cut header', [...SECRETIVE, '##[endgroup]', 'output', EXIT]],
  ['a header without an end', ['##[group]Run x', ...SECRETIVE, '##[group]Pages', 'output', EXIT]],
])('4.12 of the log never goes: %s', (_, lines) => {
  const shown = failedStep(log(...lines), []).join('\n')
  expect(shown).toMatch(/output\nerror: /)
  expect(shown).not.toMatch(/internal|env:|shell:|before/)
})

test.each<[string, string]>([
  ['an empty log', ''],
  ['a log of one line', log('nothing else')],
  ['a log whose one line is the error', log(EXIT)],
  ['a step that only failed', log(...HEADER, EXIT)],
  ['a log without an error', log(...HEADER, 'output')],
  ['a header that never ends', log('##[group]Run x', 'env:', '  A: b', EXIT)],
  [
    'a newest group that is a header',
    log('##[group]Pages', 'a', '##[endgroup]', '##[group]Run x', 'b', EXIT),
  ],
  ['groups of commands alone', log(...Array.from({ length: 1000 }, () => '##[group]Run x'), EXIT)],
])('4.12 nothing goes of %s', (_, text) => {
  expect(failedStep(text, [])).toEqual([])
})

const MILLION = 1_000_000
const filler = `${TIME}${'page '.repeat(20)}\n`

test.each<[string, string]>([
  ['50 MB', filler.repeat((50 * MILLION) / filler.length)],
  ['one line of 50 MB', 'x'.repeat(50 * MILLION)],
  ['groups that never end', log(...Array.from({ length: 20_000 }, (_, at) => `##[group]${at}`))],
  ['ends of groups', log(...Array.from({ length: 50_000 }, () => '##[endgroup]'))],
  ['10,000 colour signs', log('\x1b[31m'.repeat(10_000))],
  ['colours that never end', log(`\x1b[${'3;'.repeat(400_000)}`)],
  ['links of terminals that never end', log('\x1b]8;;'.repeat(150_000))],
  ['digits', log(...Array.from({ length: 2000 }, () => '1 '.repeat(300)))],
  ['the beginning of an address', log('a.'.repeat(400_000))],
  ['quotation marks', log('"'.repeat(MILLION))],
  ['begun keys', log('-----BEGIN PRIVATE KEY-----'.repeat(30_000))],
])('4.12 a log of %s takes a moment, and little goes', (_, text) => {
  const whole = `${text}\n${log(...HEADER.slice(0, 1), '##[endgroup]')}${text.slice(-MILLION)}\n${log('last', EXIT)}`
  let excerpt = ''
  const ms = processorMs(() => {
    excerpt = excerptOf(failedStep(whole, ['test-key']), 4000, ['docs/guide/start.mdx'])
  })
  expect(ms).toBeLessThan(1500)
  expect(excerpt.length).toBeLessThanOrEqual(4000)
  expect(excerpt).toMatch(/last\nerror: |^$/)
})

test('4.12 what does not fit: the lines above the error go, then those of files of the pull request, then the later ones', () => {
  const lines = Array.from({ length: 400 }, (_, at) => `line ${at} of a long log`)
  lines[7] = 'docs/guide/start.mdx:3 is broken'
  lines[9] = 'guide/start.mdx: again'
  const excerpt = excerptOf(lines, 1000, ['docs/guide/start.mdx'])
  const [first, second, third, fourth, fifth, ...rest] = excerpt.split('\n')
  expect([first, second, third, fourth, fifth]).toEqual(['…', lines[7], '…', lines[9], '…'])
  expect(rest).toEqual(lines.slice(-rest.length))
  expect(rest.length).toBeGreaterThan(20)
})

test.each<[string, readonly string[], number, string]>([
  ['what fits goes whole', ['a', 'b'], 3, 'a\nb'],
  ['a line that does not fit is left out', ['long '.repeat(9), 'b'], 10, '…\nb'],
  ['without room nothing goes', ['long '.repeat(9), 'b'], 2, '…'],
])('4.12 %s', (_, lines, room, expected) => {
  expect(excerptOf(lines, room, [])).toBe(expected)
})

test('4.12 an excerpt is never longer than its room, and holds lines of the log in their order', () => {
  const line = fc.string({ maxLength: 60 }).map((text) => text.replace(/[\n…]/g, ''))
  fc.assert(
    fc.property(fc.array(line), fc.nat(400), fc.array(line, { maxLength: 3 }), (lines, room, paths) => {
      const excerpt = excerptOf(lines, room, paths)
      expect(excerpt.length).toBeLessThanOrEqual(Math.max(room, 1))
      let at = 0
      for (const part of excerpt.split('\n').filter((one) => one !== '…' && one !== '')) {
        at = lines.indexOf(part, at) + 1
        expect(at).toBeGreaterThan(0)
      }
    }),
  )
})
