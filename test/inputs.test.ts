import { expect, test } from 'vitest'
import { BadInput } from '../src/errors.ts'
import { DEFAULT_GUIDELINES, type Inputs, readInputs } from '../src/inputs.ts'

const KEY = 'test-key'

function read(given: Readonly<Record<string, string>>): Inputs {
  const all: Readonly<Record<string, string>> = { 'project-id': 'docs', 'api-key': KEY, ...given }
  return readInputs((name) => (all[name] ?? '').trim())
}

test('1 what is not given, or empty, has the default of the contract', () => {
  const { access, ...rest } = read({ conversation: '', 'timeout-minutes': ' ', 'base-url': '' })
  expect(access).toEqual({ apiKey: KEY, projectId: 'docs', baseUrl: 'https://api.mintlify.com' })
  expect(rest).toEqual({
    prompt: undefined,
    promptFile: undefined,
    jobId: undefined,
    conversation: 'continue',
    command: '/docs',
    minPermission: 'write',
    allowedBots: [],
    guidelines: DEFAULT_GUIDELINES,
    context: true,
    dryRun: false,
    wait: true,
    timeoutMs: 1_800_000,
    onTimeout: 'fail',
    pollMs: 15_000,
    comment: 'recreate',
    issueNumber: undefined,
    issueTitle: undefined,
    changesSince: undefined,
    mergedLabels: undefined,
    referenceFiles: [],
    preview: false,
    reviewers: [],
    labels: [],
    fixAttempts: 0,
    githubToken: '',
    matrixIndex: '',
  })
})

test.each<readonly [string, string, keyof Inputs, unknown]>([
  ['prompt', ' Explain retries\n', 'prompt', 'Explain retries'],
  ['prompt-file', 'docs/prompt.md', 'promptFile', 'docs/prompt.md'],
  ['job-id', 'j_1', 'jobId', 'j_1'],
  ['conversation', 'SKIP', 'conversation', 'skip'],
  ['command', '@docs-agent', 'command', '@docs-agent'],
  ['min-permission', 'Admin', 'minPermission', 'admin'],
  ['allowed-bots', 'renovate[bot], my-bot\n\nx', 'allowedBots', ['renovate[bot]', 'my-bot', 'x']],
  ['guidelines', 'None', 'guidelines', ''],
  ['guidelines', 'British English', 'guidelines', 'British English'],
  ['context', 'FALSE', 'context', false],
  ['dry-run', 'true', 'dryRun', true],
  ['wait', 'False', 'wait', false],
  ['timeout-minutes', '0.5', 'timeoutMs', 30_000],
  ['timeout-minutes', '1440', 'timeoutMs', 86_400_000],
  ['on-timeout', 'warn', 'onTimeout', 'warn'],
  ['poll-interval-seconds', '1', 'pollMs', 1000],
  ['comment', 'update', 'comment', 'update'],
  ['issue-number', '12', 'issueNumber', 12],
  ['github-token', 'test-token', 'githubToken', 'test-token'],
  ...['!docs', 'docs', '@docs-bot', '@octo/docs', '/größe', '.docs', 'docs_2'].map(
    (word) => ['command', word, 'command', word] as const,
  ),
  ['labels', 'docs, docs\nfrom the agent', 'labels', ['docs', 'from the agent']],
])('1 %s: %j is read', (name, value, key, expected) => {
  expect(read({ [name]: value })[key]).toEqual(expected)
})

test.each<readonly [string, string, RegExp]>([
  ['job-id', 'j 1', /`job-id` output/],
  ['job-id', '..', /`job-id` output/],
  ['conversation', 'often', /`continue`, `skip` or `new`/],
  ['command', '/docs please', /one such as `\/docs`/],
  ['command', 'x'.repeat(51), /one word/],
  ...[
    '>docs',
    '#docs',
    '-docs',
    '+',
    '_docs',
    '*docs',
    '1.docs',
    '`docs`',
    '~docs',
    '|docs',
    '[docs]',
    '<docs>',
    '\\docs',
  ]
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
  ['allowed-bots', 'renovate[bot];x', /one a line/],
  ['allowed-bots', '*', /one a line/],
  ['context', 'yes', /`true` or `false`/],
  ['dry-run', '1', /`true` or `false`/],
  ['wait', 'no', /`true` or `false`/],
  ['timeout-minutes', '0', /a number of minutes from 0\.001 to 1,440/],
  ['timeout-minutes', '-5', /a number of minutes/],
  ['timeout-minutes', '5m', /a number of minutes/],
  ['timeout-minutes', '1e3', /a number of minutes/],
  ['timeout-minutes', 'Infinity', /a number of minutes/],
  ['timeout-minutes', '1441', /a number of minutes/],
  ['on-timeout', 'ignore', /`fail` or `warn`/],
  ['poll-interval-seconds', '0.9', /a number of seconds from 1 to 3,600/],
  ['poll-interval-seconds', 'fast', /a number of seconds/],
  ['comment', 'on', /`recreate`, `update` or `off`/],
  ['issue-number', '0', /a whole number/],
  ['issue-number', '1.5', /a whole number/],
  ['issue-number', '#12', /a whole number/],
  ['issue-title', 'Docs\nrefresh', /a short title/],
  ['reviewers', 'not a login', /logins, or teams/],
  ['reviewers', Array.from({ length: 21 }, (_, n) => `p${n}`).join(), /at most 20/],
  ['labels', 'x'.repeat(51), /at most 50 characters/],
  ['labels', Array.from({ length: 21 }, (_, n) => `l${n}`).join(), /at most 20/],
  ['changes-since', 'yesterday', /`last-run`/],
  ['project-id', '', /Copy it from the dashboard/],
  ['project-id', 'https://example.com/acme/docs', /is a URL, not an id/],
  ['project-id', 'do cs', /the id alone/],
  ['project-id', '..', /the id alone/],
])('1 %s: %j is refused, with the remedy', (name, value, remedy) => {
  expect(() => read({ [name]: value })).toThrow(
    expect.objectContaining({ constructor: BadInput, input: name, reason: 'bad-input' }),
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

test('1.4 prompt and prompt-file are not taken together', () => {
  expect(() => read({ prompt: 'x', 'prompt-file': 'y' })).toThrow(
    /`prompt-file`.*together with `prompt`.*Keep one/,
  )
})
