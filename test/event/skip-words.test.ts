import { describe, expect, test } from 'vitest'
import { FOOTERS } from '../../src/event/asks-nothing.ts'
import { parseCommand } from '../../src/event/command.ts'

// Contract 3.2: what stands behind `skip` and the other words that the action answers.

const read = (words: string) => parseCommand(`/docs ${words}`, '/docs')
const ALL = { quotations: [], omissions: [] }

test.each([
  ['', ''],
  [' this PR', ''],
  [' the docs here, thanks', ''],
  [' this PR, please, and thanks', ''],
  ['. Thanks!', ''],
  [' since only the tests change', 'only the tests change'],
  [' as it is a typo.', 'it is a typo.'],
  [' due to a refactoring', 'a refactoring'],
  [' because of e.g. tests', 'e.g. tests'],
  [' because the test at 10:02 is https://ci.example/1?a=b', 'the test at 10:02 is https://ci.example/1?a=b'],
  ['\nsince only tests change', 'only tests change'],
  [', because only tests change', 'only tests change'],
  [' - because only tests change', 'only tests change'],
  [' (because only tests change)', 'only tests change'],
  [' this PR. Because only tests change.', 'only tests change.'],
  [' pls because only tests', 'only tests'],
  [': only typos', 'only typos'],
  ['：只有错别字', '只有错别字'],
  [' this: only typos, please', 'only typos, please'],
  [' because: typos, thanks!', 'typos, thanks!'],
  [' until the API is stable', 'until the API is stable'],
  ['\nuntil the API is stable.', 'until the API is stable.'],
  [' it for now, until 2.0 is out', 'until 2.0 is out'],
  [' ❤️ because only tests 🙏', 'only tests 🙏'],
  [' since `a: b` moved', '`a: b` moved'],
  [' because `x(); y()?` is internal. ', '`x(); y()?` is internal.'],
  [' because the parser does it instead.', 'the parser does it instead.'],
  [' because a &lt;b&gt; went', 'a &lt;b&gt; went'],
  [' because of [#12](https://github.com/octo/app/pull/12)', '[#12](https://github.com/octo/app/pull/12)'],
  [' because of a well-known fix by @alice', 'a well-known fix by @alice'],
])('3.2 `/docs skip%s` skips, because %j', (words, why) => {
  expect(read(`skip${words}`)).toEqual({ kind: 'skip', why, ...ALL })
})

test.each(['please skip', 'can you skip this', 'thanks, skip this PR', '🙏 skip', 'new skip'])(
  '3.2 `/docs %s` skips',
  (words) => {
    expect(read(words)).toEqual({ kind: 'skip', why: '', ...ALL })
  },
)

/** Each could be a reason, and each could ask for something. */
const UNCLEAR = {
  'behind a comma': [
    'docs, except for the CLI',
    ', only document the flag',
    ', only typos',
    ', but explain retries',
    ', and explain retries',
    'please, internal only',
    '、説明して',
  ],
  'behind a dash': ['this - document the flag', '- explain retries instead.', 'it — only typos', '– typos'],
  'behind a bracket': ['(only typos)', 'this PR (document the flag)', '🙈 (only tests)', '（説明して）'],
  'in another line': [
    '\n\nOnly typos.',
    '\nDocument the flag.',
    'because of tests\n\nExplain retries instead.',
    'because of tests.\nnothing else changed',
    'because only tests\nand scripts change',
    ': typos\nDocument the flag',
    ':\nDocument the flag',
    ': \n\nonly typos',
    ' because\nDocument the flag',
    'this PR\n> quoted\n\nexplain it',
  ],
  'a question': [
    '?',
    '?!',
    'this PR?',
    'this? Thanks',
    'because only tests change?',
    ': typos?',
    'since nothing changed?',
    '(because only typos?)',
    ': typos？',
    '？',
    'the docs، why؟',
  ],
  'a second sentence': [
    'this PR. Document retries instead.',
    '. Explain retries',
    'it! Then explain retries',
    '。説明して',
    'because the intro is old. Rewrite it',
    'this change. Documentation please!',
  ],
  'a second clause': [
    'this; explain retries',
    'this PR: and then, explain retries',
    'because the intro is old: rewrite it',
    'since the intro is old; rewrite it',
    'because only tests, document the flag',
    'since it is old, instead explain retries',
    'because only tests - document the flag',
    'because only tests (document the flag)',
    'because only tests [document the flag]',
    'because it is old but explain retries',
    'because it is old and then explain retries',
    'because it is old and please explain retries',
    'because `a: b` moved: explain it',
    ': document retries instead',
  ],
  'a name, or what else no table holds': [
    '\n\nThanks,\nAlice',
    '\n\nThanks,\nDocument',
    '\nSent from my desk, document it',
    '\nSent from my iPhone: document it',
    '\n--\nAlice',
    '\nGenerated with [Claude Code](https://evil.example/)',
    '\n🤖 Generated with [Claude Code](https://claude.com/claude-code): explain it',
    '\nhttps://example.com/explain',
    '\n![a picture](https://example.com/1.png)',
    '\n- [ ] explain it',
  ],
} as const

describe.each(Object.entries(UNCLEAR))('3.2 %s', (_, all) => {
  test.each(all)('`/docs skip %s` could be either', (words) => {
    expect(read(`skip ${words}`)).toMatchObject({ kind: 'skip-or-request', omissions: [] })
  })
})

test('3.2 `/docs? skip` is a question, too', () => {
  expect(parseCommand('/docs? skip', '/docs')?.kind).toBe('skip-or-request')
})

test.each([
  'skip the intro',
  'skip please the intro',
  'skip 🙈 the intro',
  'skip becausewhy',
  'skip as many steps as you can',
  'skip-level headings',
  'skip_this',
  'skips are new',
  'please explain skip',
  'skip docs except for the CLI',
])('3.2 `/docs %s` is a request', (words) => {
  expect(read(words)).toMatchObject({ kind: 'prompt' })
})

/** As they stand on GitHub. */
const SEEN: Readonly<Record<string, readonly string[]>> = {
  'phone, en': [
    'Sent from my iPhone',
    'sent from my Samsung Galaxy smartphone.',
    'Sent from my iPhone 15 Pro',
  ],
  'phone, de': ['Von meinem iPhone gesendet', 'Von meinem Samsung Galaxy Smartphone gesendet'],
  'phone, fr': ['Envoyé de mon iPhone', 'Envoyé depuis mon téléphone'],
  'phone, es': ['Enviado desde mi iPhone'],
  'phone, nl': ['Verstuurd vanaf mijn iPhone', 'Verzonden vanaf mijn Samsung Galaxy-smartphone'],
  'phone, da': ['Sendt fra min iPad'],
  'phone, sv': ['Skickat från min iPhone'],
  'phone, pt': ['Enviado do meu iPhone'],
  'phone, it': ['Inviato da iPad'],
  'phone, ru': ['Отправлено с iPhone'],
  'phone, ja': ['iPhoneから送信'],
  'phone, zh': ['发自我的iPhone', '发自我的 iPhone'],
  Outlook: [
    'Get Outlook for iOS',
    'Get Outlook for iOS<https://aka.ms/o0ukef>',
    'Get [Outlook for Android](https://aka.ms/AAb9ysg)',
  ],
  FastHub: [
    '_Sent from my Htc m8 using [FastHub](https://play.google.com/store/apps/details?id=com.fastaccess.github)_',
  ],
  GitHawk: ['<sub>Sent with <a href="http://githawk.com">GitHawk</a></sub>'],
  CodeStream: [
    '<sup>Created from VS Code using [CodeStream](https://codestream.com/?utm_source=cs&utm_medium=issue&utm_campaign=github)</sup>',
  ],
  Reviewable: [
    '---\n\n*Comments from [Reviewable](https://reviewable.io:443/reviews/octo/app/12#-:-KlZZR1ZTvvH4AwHsREy:bnfp4nl)*\n<!-- Sent from Reviewable.io -->',
  ],
  'Claude Code': [
    '🤖 Generated with [Claude Code](https://claude.com/claude-code)',
    '🤖 Generated with [Claude Code](https://claude.ai/code)\n\nCo-Authored-By: Claude <noreply@anthropic.com>',
    'Co-Authored-By: Claude Opus 4.5 <noreply@anthropic.com>',
    '---\n_Generated by [Claude Code](https://claude.ai/code/session_016czT8ByqutUhNqPPqNj9pS)_',
  ],
}

test('3.2 each footer of the table has been seen', () => {
  expect(Object.keys(SEEN)).toEqual(Object.keys(FOOTERS))
})

const ASKED = {
  status: 'status',
  help: 'help',
  retry: 'again',
  cancel: 'cancel',
  skip: 'skip',
  'new skip': 'skip',
}

describe.each(Object.entries(SEEN))('3.2 the footer of %s', (_, footers) => {
  test.each(footers)('%j asks nothing below a word that asks nothing', (footer) => {
    for (const [words, kind] of Object.entries(ASKED))
      for (const joint of ['\n', '\n\n', '\n\nThanks!\n'])
        expect(read(`${words}${joint}${footer}`)).toMatchObject({ kind, ...ALL })
    expect(read(`skip because of tests\n\n${footer}`)).toEqual({ kind: 'skip', why: 'tests', ...ALL })
    expect(read(`\n\n${footer}`)).toMatchObject({ kind: 'help', fresh: false })
  })
  test.each(footers)('%j changes nothing of a request', (footer) => {
    expect(read(`explain retries\n\n${footer}`)).toMatchObject({ kind: 'prompt' })
    expect(read(`retry\n\nThe credits are back.\n${footer}`)).toMatchObject({ kind: 'prompt' })
    expect(read(`skip\n\nDocument the flag.\n${footer}`)).toMatchObject({ kind: 'skip-or-request' })
  })
})

test.each(['Alice', 'Alice, Acme Inc.\nDocument the flag.', 'アリス', 'Alice\n-- \nBob'])(
  '3.2 a signature below `-- ` asks nothing, and the answer says that it is left out: %j',
  (signature) => {
    for (const [words, kind] of Object.entries(ASKED))
      expect(read(`${words}\n\n-- \n${signature}`)).toMatchObject({
        kind,
        omissions: [{ kind: 'text-below' }],
      })
  },
)
