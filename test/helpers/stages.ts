import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PartSource } from '../../src/prompt/part-sources.ts'
import { checkedWorld } from './checked-world.ts'
import { pushTo } from './push.ts'
import type { Stage, Strangers } from './strangers.ts'
import { PULL } from './three-places.ts'
import { ISSUE, ownWorld, type World } from './world.ts'

/** Each kind of part, as the list of parts describes it. */
export const PARTS: Readonly<Record<PartSource['kind'], RegExp>> = {
  body: /^the text of (?!merged)/,
  comparison: /^the title and branches of/,
  commits: /^the first lines of the commits of/,
  files: /^the list of files of/,
  patches: /^the patches of/,
  'merged titles': /^the titles of 2 merged pull requests/,
  'merged texts': /^the texts of merged pull requests/,
  quotations: /^what the request quotes/,
  'below the request': /^what stood below/,
  'review lines': /^lines of changed files/,
  'linked code': /^code of this repository/,
  conversation: /^the conversation above/,
  checks: /^what the checks say/,
  references: /^the files that the workflow passes along/,
}
const { body, comparison, commits, files, patches, quotations, conversation, checks } = PARTS
const either = (...all: readonly RegExp[]): RegExp => new RegExp(all.map(({ source }) => source).join('|'))

/** Whoever writes may ask, so that remarks of strangers go along. */
const OPEN = { guidelines: 'none', 'min-permission': 'none' }
const alice = { login: 'alice', type: 'User' }
const quoted = (words: string): string =>
  words
    .split(/[\n\r\u2028\u0085\v]+/)
    .map((line) => `> ${line}`)
    .join('\n')
/** Of a commit: below its subject stands what goes nowhere. */
const messageOf = (subject: string): string => `${subject.replace(/[\n\r]+/g, '\u2028')}\n\nEVIL-message`

/** A pull request whose label is for no prompt. */
function pulled(emulator: World, { text, login }: Strangers): void {
  emulator.github.addPullRequest({
    ...{ number: PULL, user: login, title: text('title'), body: text('body'), headRef: text('head') },
    labels: [text('label')],
    files: [{ filename: text('path'), earlier: text('earlier'), additions: 1, patch: text('patch') }],
  })
}
const OF_PULL = {
  texts: { body, patch: patches },
  names: { title: body, head: comparison, path: either(files, patches), earlier: files },
}

async function act(emulator: World, name: string, payload: object, inputs = {}): Promise<World> {
  const common = {
    ...(emulator.github.repo().pulls.has(PULL) && { pull_request: emulator.shown.pull(PULL) }),
    repository: emulator.shown.repository(),
    sender: alice,
  }
  await emulator.act({ name, payload: { ...common, ...payload } }, { inputs: { ...OPEN, ...inputs } })
  return emulator
}

const command: Stage = {
  texts: {
    ...OF_PULL.texts,
    quotation: quotations,
    below: PARTS['below the request'],
    comment: conversation,
    review: conversation,
    lineComment: conversation,
  },
  names: { ...OF_PULL.names, commented: conversation },
  async play(written) {
    const { text, login } = written
    const emulator = ownWorld()
    pulled(emulator, written)
    emulator.github.addComment(PULL, { login, body: text('comment') })
    emulator.github.addReview(PULL, { login, body: text('review') })
    emulator.github.addReviewComment(PULL, { login, body: text('lineComment'), path: text('commented') })
    await emulator.pass(60_000)
    const asked = `${quoted(text('quotation'))}\n\n/docs explain\n\n${text('below')}`
    await emulator.ask(asked, { on: PULL, isMail: true, inputs: OPEN })
    return emulator
  },
}

const review: Stage = {
  texts: { ...OF_PULL.texts, hunk: PARTS['review lines'], quoted: quotations },
  names: { ...OF_PULL.names, commented: PARTS['review lines'] },
  async play(written) {
    const { text } = written
    const emulator = ownWorld()
    pulled(emulator, written)
    const submitted = emulator.github.addReview(PULL, { login: 'alice', body: '/docs tighten this' })
    const line = {
      review: submitted.id,
      path: text('commented'),
      diffHunk: text('hunk').replaceAll('\n', ' '),
    }
    const body = `${quoted(text('quoted'))}\n\nSay why.`
    emulator.github.addReviewComment(PULL, { login: 'alice', body, ...line })
    return await act(emulator, 'pull_request_review', {
      action: 'submitted',
      review: emulator.shown.review(submitted),
    })
  },
}

const line: Stage = {
  texts: { ...OF_PULL.texts, hunk: PARTS['review lines'], remark: conversation },
  names: { ...OF_PULL.names, commented: either(PARTS['review lines'], conversation) },
  async play(written) {
    const { text, login } = written
    const emulator = ownWorld()
    pulled(emulator, written)
    const place = { path: text('commented'), diffHunk: text('hunk') }
    const first = emulator.github.addReviewComment(PULL, { login, body: text('remark'), ...place })
    await emulator.pass(60_000)
    const asked = emulator.github.addReviewComment(PULL, {
      login: 'alice',
      body: '/docs do so',
      thread: first.id,
      ...place,
    })
    return await act(emulator, 'pull_request_review_comment', {
      action: 'created',
      comment: emulator.shown.comment(asked),
    })
  },
}

const followUp: Stage = {
  texts: { issueBody: body, comment: conversation },
  names: { issueTitle: body },
  async play({ text, login }) {
    const emulator = ownWorld()
    const issue = emulator.github.issue(ISSUE)
    Object.assign(issue, { title: text('issueTitle'), body: text('issueBody'), labels: [text('label')] })
    await emulator.ask('/docs explain', { runId: 1, inputs: OPEN })
    await emulator.pass(60_000)
    emulator.github.addComment(ISSUE, { login, body: text('comment') })
    await emulator.pass(60_000)
    await emulator.ask('/docs go on', { runId: 2, inputs: OPEN })
    return emulator
  },
}

const push: Stage = {
  texts: { patch: patches },
  names: { branch: comparison, subject: commits, path: either(files, patches) },
  async play({ text }) {
    const emulator = ownWorld()
    const [before, after] = ['a'.repeat(40), 'b'.repeat(40)]
    emulator.github.setCompare(before, after, {
      files: [{ filename: text('path'), patch: text('patch') }],
      commits: [{ sha: after, message: messageOf(text('subject')) }],
    })
    const ref = `refs/heads/${text('branch')}`
    return await act(emulator, 'push', { ref, before, after }, { prompt: 'Update the docs.' })
  },
}

/** Two merged pull requests. */
const OF_MERGES = {
  texts: { body: PARTS['merged texts'], patch: patches },
  names: { title: either(PARTS['merged titles'], PARTS['merged texts']), path: patches },
}
const merged = (emulator: World, { text, login }: Strangers, baseRef = 'main'): string[] =>
  [2, 1].map((days) => {
    const [title, body] = [text('title'), text('body')]
    const files = [{ filename: text('path'), patch: text('patch') }]
    return emulator.merge({ title, body, user: login, files, days, labels: [text('label')], baseRef }).sha
  })

const merges: Stage = {
  ...OF_MERGES,
  names: { ...OF_MERGES.names, branch: PARTS['merged titles'] },
  async play(written) {
    const emulator = ownWorld()
    const branch = written.text('branch').replace(/[\n\r\u2028]+/g, ' ')
    const [first = '', last = ''] = merged(emulator, written, branch)
    await pushTo(emulator, last, { commits: [first], branch })
    return emulator
  },
}

const since: Stage = {
  ...OF_MERGES,
  async play(written) {
    const emulator = ownWorld()
    merged(emulator, written)
    await emulator.refresh(1, { 'issue-number': `${ISSUE}`, 'changes-since': 'last-run' })
    return emulator
  },
}

const release: Stage = {
  texts: { notes: body },
  names: { tag: body, release: body },
  async play({ text }) {
    const emulator = ownWorld()
    const [tag, name, notes] = [text('tag'), text('release'), text('notes')]
    const { id } = emulator.github.addRelease({ tag, name, body: notes })
    const shown = { id, name, tag_name: tag, body: notes, html_url: 'https://x/v2', author: alice }
    return await act(
      emulator,
      'release',
      { action: 'published', release: shown },
      { prompt: 'Update the docs.' },
    )
  },
}

const increment: Stage = {
  texts: { ...OF_PULL.texts, newPatch: patches },
  names: { ...OF_PULL.names, title: either(body, comparison), subject: commits },
  async play(written) {
    const emulator = ownWorld()
    pulled(emulator, written)
    const inputs = { prompt: 'Document this.' }
    await act(emulator, 'pull_request', { action: 'labeled' }, inputs)
    const { files } = emulator.github.pull(PULL)
    emulator.github.push(PULL, {
      files: files.map((file) => ({ ...file, patch: `+more\n${written.text('newPatch')}` })),
    })
    const message = messageOf(written.text('subject'))
    Object.assign(emulator.github.pull(PULL).commits.at(-1) ?? {}, { message })
    return await act(emulator, 'pull_request', { action: 'synchronize' }, inputs)
  },
}

/** Not all lines fit, and what had no room goes with the second command. */
const rest: Stage = {
  texts: { early: patches, late: patches },
  names: { path: either(files, patches) },
  async play({ text, login }) {
    const emulator = ownWorld()
    const words: Readonly<Record<number, string>> = { 9: text('early'), 590: text('late') }
    const patch = Array.from(
      { length: 600 },
      (_, at) => `+export const limitNumber${at} = ${at} // ${words[at] ?? 'seconds'}`,
    )
    const files = [{ filename: text('path'), additions: 600, patch: patch.join('\n') }]
    emulator.github.addPullRequest({ number: PULL, user: login, files })
    for (const runId of [1, 2]) await emulator.ask('/docs explain', { on: PULL, runId, inputs: OPEN })
    return emulator
  },
}

const red: Stage = {
  texts: {
    checkTitle: checks,
    summary: checks,
    details: checks,
    message: checks,
    log: checks,
    description: checks,
  },
  names: { check: checks, annotated: checks, context: checks },
  async play({ text }) {
    const log = [
      '##[group]Run links',
      '##[endgroup]',
      text('log').replaceAll('\r', ' '),
      '##[error]Exit code 1.',
    ]
    const check = {
      ...{ name: text('check'), title: text('checkTitle'), summary: text('summary'), text: text('details') },
      annotations: [{ path: text('annotated'), line: 1, message: text('message') }],
      ...({ conclusion: 'failure', log: log.join('\n') } as const),
    }
    const status = {
      kind: 'status',
      name: text('context'),
      summary: text('description'),
      conclusion: 'failure',
    } as const
    const emulator = checkedWorld([[check, status], []])
    await emulator.ask('/docs explain', { inputs: { ...OPEN, 'fix-attempts': '1' } })
    return emulator
  },
}

const linked: Stage = {
  texts: { issueBody: body, code: PARTS['linked code'] },
  async play({ text }) {
    const emulator = ownWorld()
    emulator.github.issue(ISSUE).body = text('issueBody')
    const link = emulator.github.addCode('c0ffee'.padEnd(40, '0'), 'src/add.py', text('code'))
    await emulator.ask(`/docs explain this\n\n${link}#L1-L99`, { inputs: OPEN })
    return emulator
  },
}

const references: Stage = {
  texts: { reference: PARTS.references },
  async play({ text }) {
    const emulator = ownWorld()
    const workspace = mkdtempSync(join(tmpdir(), 'part-sources-'))
    writeFileSync(join(workspace, 'a.md'), text('reference'))
    await emulator.ask('/docs explain', { workspace, inputs: { ...OPEN, 'reference-file': 'a.md' } })
    return emulator
  },
}

export const STAGES = {
  ...{ command, review, line, followUp, push, merges, since },
  ...{ release, increment, rest, red, linked, references },
}
