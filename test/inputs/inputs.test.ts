import { expect, test } from 'vitest'
import { BadInput } from '../../src/base/errors.ts'
import { type Inputs, readInputs } from '../../src/inputs/inputs.ts'

const KEY = 'test-key'

function read(given: Readonly<Record<string, string>>): Inputs {
  const all: Readonly<Record<string, string>> = { 'project-id': 'docs', 'api-key': KEY, ...given }
  return readInputs((name) => (all[name] ?? '').trim())
}

/** As many as a list may have. */
const NAMES = Array.from({ length: 10 }, (_, n) => `p${n}`)

test.each<readonly [string, string, keyof Inputs, unknown]>([
  ['prompt', ' Explain retries\n', 'prompt', 'Explain retries'],
  ['conversation', 'SKIP', 'conversation', 'skip'],
  ['allowed-bots', 'renovate[bot], my-bot\n\nx', 'allowedBots', ['renovate[bot]', 'my-bot', 'x']],
  [
    'allowed-bots',
    'Pre-Commit-CI[BOT]\nRenovate[Bot]',
    'allowedBots',
    ['Pre-Commit-CI[BOT]', 'Renovate[Bot]'],
  ],
  ['reviewers', 'Copilot[BOT], requester', 'reviewers', ['Copilot[BOT]', 'requester']],
  ['reviewers', 'Requester', 'reviewers', ['requester']],
  ['reviewers', 'AUTHORS, Dora', 'reviewers', ['authors', 'Dora']],
  ['reviewers', 'octo/Authors\nREQUESTER', 'reviewers', ['octo/Authors', 'requester']],
  ['guidelines', 'None', 'guidelines', ''],
  ['context', 'FALSE', 'context', false],
  ['timeout-minutes', '0.5', 'timeoutMs', 30_000],
  ['poll-interval-seconds', '1', 'pollMs', 1000],
  ...['!docs', 'docs', '@docs-bot', '@octo/docs', '/größe', '.docs', 'docs_2'].map(
    (word) => ['command', word, 'command', word] as const,
  ),
  ['command', 'd'.repeat(50), 'command', 'd'.repeat(50)],
  ['issue-title', 't'.repeat(256), 'issueTitle', 't'.repeat(256)],
  ['reviewers', NAMES.join(), 'reviewers', NAMES],
  ['labels', 'docs, docs\nfrom the agent', 'labels', ['docs', 'from the agent']],
  ['labels', '"good" first issue, what\'s new, "', 'labels', ['"good" first issue', "what's new", '"']],
])('1 %s: %j is read', (name, value, key, expected) => {
  expect(read({ [name]: value })[key]).toEqual(expected)
})

test.each<readonly [string, string, RegExp]>([
  ['job-id', '..', /`job-id` output/],
  ['command', 'x'.repeat(51), /one word/],
  ...['>docs', '#docs', '-docs', '+', '_docs', '*docs', '1.docs', '`docs`', '~docs', '[docs]', '\\docs']
    .concat(
      '$docs',
      ':docs:',
      '&docs',
      'docs__x',
      'www.docs',
      'https://docs',
      'docs.',
      '/docs*',
      'GH-12',
      'deadbee',
    )
    .map((word) => ['command', word, /Markdown shows/] as const),
  ['min-permission', 'owner', /`none`, `read`, `triage`, `write`, `maintain` or `admin`/],
  ['allowed-bots', '*', /one per line/],
  ['timeout-minutes', '0', /a number of minutes from 0\.001 to 1,440/],
  ['timeout-minutes', '-5', /a number of minutes/],
  ['timeout-minutes', '1e3', /a number of minutes/],
  ['timeout-minutes', '1441', /a number of minutes/],
  ['on-timeout', 'ignore', /`fail` or `warn`/],
  ['poll-interval-seconds', '0.9', /a number of seconds from 1 to 3,600/],
  ['comment', 'on', /`recreate`, `update` or `off`/],
  ['issue-number', '1.5', /a whole number/],
  ['issue-title', 'Docs\nrefresh', /a short title/],
  ['issue-title', 't'.repeat(257), /at most 256 characters/],
  ['reviewers', 'not a login', /logins, or teams/],
  ['reviewers', [...NAMES, 'x'].join(), /at most 10/],
  ['labels', 'x'.repeat(51), /at most 50 characters/],
  [
    'labels',
    '"documentation"',
    /contains `"documentation"` in quotation marks. Leave the quotation marks out/,
  ],
  ['labels', "docs\n'from the agent'", /contains `'from the agent'` in quotation marks/],
  ['labels', '\u201cdocs\u201d, agent', /in quotation marks/],
  ['commit-status', '"docs"', /without quotation marks around it/],
  ['commit-status', '\u201cdocs\u201d', /without quotation marks around it/],
  ['commit-status', '`docs`', /without quotation marks around it/],
  ['job-id', "'j_1'", /\(`'j_1'`\) is not an id/],
  ['merged-labels', '"feature"', /`merged-labels` contains `"feature"` in quotation marks/],
  ['merged-labels', "feature\n!'internal'", /contains `!'internal'` in quotation marks/],
  ['merged-labels', '"!internal"', /in quotation marks/],
  ['project-id', '', /Copy it from the dashboard/],
  ['project-id', 'https://example.com/acme/docs', /is a URL, not an id/],
  ['project-id', '..', /the id alone/],
])('1 %s: %j is refused, with the remedy', (name, value, remedy) => {
  expect(() => read({ [name]: value })).toThrow(
    expect.objectContaining({ constructor: BadInput, reason: 'bad-input' }),
  )
  expect(() => read({ [name]: value })).toThrow(remedy)
  expect(() => read({ [name]: value })).toThrow(`Input \`${name}\` `)
})

test('1 a hostile value cannot break out of the sentence', () => {
  const value = `x\n::set-output name=a::b\`@alice|${'y'.repeat(500)}`
  expect(() => read({ conversation: value })).toThrow(
    /^Input `conversation` is `x ::set-output[^`\n|]{1,60}…`\. /,
  )
})

test.each([
  ['Last-Run', 'last-run'],
  ['7d', { days: 7 }],
  ['30D', { days: 30 }],
  ['2026-07-01', { at: Date.UTC(2026, 6, 1) }],
  ['2026-07-01T06:00+02:00', { at: Date.UTC(2026, 6, 1, 4) }],
] as const)('3.10 %o', (value, since) => {
  expect(read({ 'changes-since': value }).changesSince).toEqual(since)
})

test.each(['0d', '1.5d', '12345d', '2026-02-30', '1969-01-01'])('3.10 %s is refused', (value) => {
  expect(() => read({ 'changes-since': value }).changesSince).toThrow(/changes-since/)
})

test.each([
  ['', undefined],
  ['Feature, !Skip Docs\n\nbug', { included: ['feature', 'bug'], excluded: ['skip docs'] }],
  ['! internal', { included: [], excluded: ['internal'] }],
] as const)('3.11 %j', (value, expected) => {
  expect(read({ 'merged-labels': value }).mergedLabels).toEqual(expected)
})

test.each(['feature, !'])('3.11 %j is refused: a `!` needs a label', (value) => {
  expect(() => read({ 'merged-labels': value }).mergedLabels).toThrow(
    /`merged-labels` contains `!` without a label/,
  )
})

test.each([
  ['', { authors: [], labels: [] }],
  ['author:L10n-Bot\n\nLABEL: No Docs \nauthor:l10n-bot', { authors: ['l10n-bot'], labels: ['no docs'] }],
  [
    'label:kind: docs, later\nauthor:renovate[bot]',
    { authors: ['renovate[bot]'], labels: ['kind: docs, later'] },
  ],
])('3.16 %j', (value, expected) => {
  expect(read({ ignore: value }).ignore).toEqual(expected)
})

test.each([
  ['no-docs', 'which is neither'],
  ['title:Translations', 'Titles do not count'],
  ['- author:octo', 'which is neither'],
  ['"label:no-docs"', 'which is neither'],
  ['label:', 'which is neither'],
  ['author : octo', 'which is neither'],
  ['# author:octo', 'which is neither'],
  ['!label:docs', 'which is neither'],
  ['author:@octo', 'is no login'],
  ['author:*', 'is no login'],
  ['author:octo, label:no-docs', 'is no login'],
  ['author:octo # ours', 'is no login'],
  ['label:no-docs, label:internal', 'is no name of a label'],
  [`label:${'x'.repeat(51)}`, 'is no name of a label'],
  ['label:"no-docs"', 'in quotation marks'],
  ["author:'octo'", 'in quotation marks'],
])('3.16 %j is refused', (value, fault) => {
  const whole = new RegExp(`^Input \`ignore\` contains \`.*${fault}`)
  expect(() => read({ ignore: `author:alice\n${value}` })).toThrow(whole)
})
