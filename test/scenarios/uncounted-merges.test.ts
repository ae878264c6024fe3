import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pushTo as push } from '../helpers/push.ts'
import { expectOutcome, ISSUE, world } from '../helpers/world.ts'

// Contract 3.10, 3.11, 3.16: merges of bots, and those that `ignore` or labels leave out, are counted in prompt, answer and log.

const SINCE = { 'issue-number': String(ISSUE), 'changes-since': 'last-run' }
const COPILOT = 'copilot-swe-agent[bot]'
const IGNORE = { ignore: 'author:l10n\nlabel:No-Docs' }
const LABELS = { 'merged-labels': 'feature, !internal' }

interface Merge {
  readonly user?: string
  readonly labels?: string[]
}
type Case = readonly [string, readonly Merge[], Readonly<Record<string, string>>, string]

const LEFT_OUT: readonly Case[] = [
  [
    'of a coding agent',
    [{ user: COPILOT }, { user: COPILOT }],
    {},
    '2 merges of bots (`copilot-swe-agent[bot]`) are left out. To send them, list the bot in `allowed-bots`.',
  ],
  [
    'of one bot',
    [{ user: 'renovate[bot]' }],
    {},
    '1 merge of a bot (`renovate[bot]`) is left out. To send it, list the bot in `allowed-bots`.',
  ],
  [
    'of bots, one of them listed',
    [{ user: 'Copilot[bot]' }, { user: 'renovate[bot]' }, { user: 'dependabot[bot]' }],
    { 'allowed-bots': 'copilot, carol' },
    '2 merges of bots (`renovate[bot]` and `dependabot[bot]`) are left out. To send them, list the bots in `allowed-bots`.',
  ],
  [
    'of more bots than are named',
    Array.from({ length: 7 }, (_, at) => ({ user: `bot-${at}[bot]` })),
    {},
    '7 merges of bots (`bot-0[bot]`, `bot-1[bot]`, `bot-2[bot]`, `bot-3[bot]`, `bot-4[bot]` and 2 more) are left out. To send them, list the bots in `allowed-bots`.',
  ],
  ['by its author', [{ user: 'L10n' }], IGNORE, '1 merge that `ignore` names is left out.'],
  [
    'by author or label',
    [{ user: 'l10n' }, { labels: ['no-docs', 'other'] }],
    IGNORE,
    '2 merges that `ignore` names are left out.',
  ],
  [
    'by labels',
    [{ labels: ['feature', 'Internal'] }, {}, { labels: ['fix'] }],
    LABELS,
    '3 merges whose labels do not count (`merged-labels`) are left out.',
  ],
  [
    'of a bot, by another input',
    [
      { user: 'l10n[bot]', labels: ['feature'] },
      { user: COPILOT, labels: ['internal'] },
    ],
    { ...IGNORE, ...LABELS },
    '1 merge that `ignore` names and 1 merge whose labels do not count (`merged-labels`) are left out.',
  ],
  [
    'by each of them',
    [{ user: COPILOT, labels: ['feature'] }, { user: 'l10n' }, { labels: ['internal'] }],
    { ...IGNORE, ...LABELS },
    '1 merge of a bot (`copilot-swe-agent[bot]`), 1 merge that `ignore` names and 1 merge whose labels do not count (`merged-labels`) are left out. To send those of bots, list the bot in `allowed-bots`.',
  ],
]

const COUNTED: readonly Case[] = [
  [
    'of listed bots',
    [{ user: COPILOT }, { user: 'renovate[bot]' }],
    { 'allowed-bots': `Renovate, ${COPILOT}` },
    '',
  ],
  ['of the docs agent', [{ user: 'mintlify[bot]' }, { user: 'Mintlify[bot]' }], IGNORE, ''],
  ['of people alone', [{ user: 'carol' }], IGNORE, ''],
]

const left = (text = ''): string =>
  / ?(\d+ merges? [^\n]*left out\.(?: To send [^\n]*`\.)?)/.exec(text)?.[1] ?? ''
const plain = (text: string): string => text.replaceAll('`', '')

describe.each([...LEFT_OUT, ...COUNTED])('merges %s', (_, merges, inputs, says) => {
  test('3.10 3.11 3.16 `changes-since` names them', async () => {
    const emulator = world()
    emulator.merge({ title: 'Add retries', labels: ['feature'], days: 3 })
    for (const one of merges) emulator.merge({ ...one, days: 2 })
    const result = await emulator.refresh(1, { ...SINCE, ...inputs })
    expectOutcome(result, 'pull-request')
    expect(left(emulator.prompts()[0])).toBe(says)
    expect(left(emulator.lastWords())).toBe(says)
    expect(result.log.split('\n').filter((line) => line.includes('left out'))).toEqual(
      says === '' ? [] : [plain(says)],
    )
    expect(result.annotations).toEqual([])
  })

  test('3.8 3.11 3.16 a push names them', async () => {
    const emulator = world()
    const shas = merges.map((one) => emulator.merge({ ...one, days: 3 }).sha)
    const { number, sha } = emulator.merge({ title: 'Add retries', labels: ['feature'] })
    const result = await push(emulator, sha, { commits: shas }, { inputs })
    expectOutcome(result, 'pull-request')
    expect(left(emulator.prompts()[0])).toBe(says)
    expect(left(emulator.lastWords(number))).toBe(says)
    if (says !== '') expect(result.log).toContain(plain(says))
  })
})

describe.each(LEFT_OUT)('where nothing else was merged than merges %s', (_, merges, inputs, says) => {
  // A listed bot's merge counts.
  const isAsked = inputs['allowed-bots'] !== undefined

  test.skipIf(isAsked)('3.10 3.11 3.16 `changes-since` says so', async () => {
    const emulator = world()
    for (const one of merges) emulator.merge(one)
    const result = await emulator.refresh(1, { ...SINCE, ...inputs })
    expectOutcome(result, 'skipped', 'no-changes')
    expect(result.log).toContain('Nothing that counts was merged into main since')
    expect(result.log).toContain(plain(says))
    expect(emulator.calls('service')).toEqual([])
  })

  test.skipIf(isAsked)('3.8 3.11 3.16 a push says so', async () => {
    const emulator = world()
    const shas = merges.map((one) => emulator.merge(one).sha)
    const result = await push(emulator, shas.at(-1) ?? '', { commits: shas.slice(0, -1) }, { inputs })
    expect(result.outputs.outcome).toBe('skipped')
    expect(result.outputs.reason).toMatch(/^(no-changes|agent-pull-request)$/)
    expect(result.log).toContain(plain(says))
    expect(emulator.calls('service')).toEqual([])
  })
})

test.each(LEFT_OUT.filter(([, , inputs]) => inputs['allowed-bots'] === undefined))(
  'beside a reference file, where nothing else was merged than merges %s, it is said',
  async (_, merges, inputs, says) => {
    const emulator = world()
    for (const one of merges) emulator.merge(one)
    const workspace = mkdtempSync(join(tmpdir(), 'docs-agent-merges-'))
    onTestFinished(() => rmSync(workspace, { recursive: true }))
    writeFileSync(join(workspace, 'missing.md'), 'Readers ask for retries.')
    const more = { ...SINCE, ...inputs, 'reference-file': 'missing.md' }
    const result = await emulator.refresh(1, more, { workspace })
    expectOutcome(result, 'pull-request')
    expect(left(emulator.prompts()[0])).toBe(says)
    expect(left(emulator.lastWords())).toBe(says)
    expect(result.log).toContain(plain(says))
  },
)

test('3.14 a push says so beside files that `paths` does not name', async () => {
  const emulator = world()
  const shas = [emulator.merge({ user: COPILOT }).sha]
  const { sha } = emulator.merge({ files: [{ filename: 'test/a.ts' }] })
  const result = await push(emulator, sha, { commits: shas }, { inputs: { paths: 'src' } })
  expectOutcome(result, 'skipped', 'no-changes')
  expect(result.log).toContain('No file changed that paths names. 1 merge of a bot (copilot-swe-agent[bot])')
})
