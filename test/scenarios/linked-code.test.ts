import { expect, test } from 'vitest'
import { outsideOf, partIn } from '../helpers/prompt-parts.ts'
import { expectOutcome, ISSUE, type World, world } from '../helpers/world.ts'

// Contract 4.1: code that a request links to goes as code, from GitHub's rendering of the comment.

const SHA = 'c0ffee'.padEnd(40, '0')
const CODE = 'def add(a):\n    return a + 1\n\n\treturn "<b>"\nend\n'

/** @returns the address of the file */
const withCode = ({ github }: World, text = CODE): string => github.addCode(SHA, 'src/add.py', text)
const linkedIn = (emulator: World, at = 0): string =>
  partIn(emulator.prompts()[at] ?? '', /^code of this repository/)
const readings = (emulator: World): readonly string[] =>
  emulator.calls('github').filter((call) => /^GET .*(?:\/comments|\/reviews)\/\d+$/.test(call))

const SHOWN = (link: string) =>
  `app/src/add.py (${link})\n\nLines 1 to 4 in ${SHA.slice(0, 7)} (/octo/app/commit/${SHA})\n\n\`\`\`\ndef add(a):\n    return a + 1\n\n\treturn "<b>"\n\`\`\``

test('4.1 of a comment: path, lines and code as it is, in the fence, with one more request', async () => {
  const emulator = world()
  const link = `${withCode(emulator)}#L1-L4`
  const { said } = await emulator.ask(`/docs explain this\n\n${link}`)
  expect(linkedIn(emulator)).toBe(SHOWN(link))
  expect(outsideOf(emulator.prompts()[0] ?? '')).not.toContain('return a + 1')
  expect(readings(emulator).filter((call) => call.endsWith(`/issues/comments/${said.id}`))).toHaveLength(1)
  await emulator.ask(`/docs go on with\n\n${link}`)
  expect(linkedIn(emulator, 1), 'a message has it, too').toBe(SHOWN(link))
})

test.each(['app/(group)/page.tsx', 'src/routes/(app)/(a)b/+page.ts', '(x)'])(
  '4.1 of a file with brackets in its path: %s',
  async (path) => {
    const emulator = world()
    const link = emulator.github.addCode(SHA, path, CODE)
    await emulator.ask(`/docs explain this\n\n${link}#L1-L2`)
    expect(linkedIn(emulator)).toContain('return a + 1')
  },
)

test('4.1 of a review, and of a comment on a line', async () => {
  const emulator = world()
  const link = `${withCode(emulator)}#L1-L4`
  const { number } = emulator.github.addPullRequest({ user: 'carol' })
  const common = { pull_request: emulator.shown.pull(number), sender: emulator.shown.user('alice') }
  const body = `/docs explain this\n\n${link}`
  const review = emulator.github.addReview(number, { login: 'alice', body })
  const line = emulator.github.addReviewComment(number, { login: 'alice', body, line: 7 })
  const ofReview = { action: 'submitted', review: emulator.shown.review(review), ...common }
  await emulator.act({ name: 'pull_request_review', payload: ofReview })
  expect(linkedIn(emulator)).toBe(SHOWN(link))
  const ofLine = { action: 'created', comment: emulator.shown.comment(line), ...common }
  await emulator.act({ name: 'pull_request_review_comment', payload: ofLine }, { runId: 2 })
  expect(linkedIn(emulator, 1)).toBe(SHOWN(link))
})

test.each([
  ['of another repository', (link: string) => link.replace('octo/app', 'octo/other')],
  ['of another host', (link: string) => link.replace('github.com', 'github.com.example.org')],
  ['to a branch', (link: string) => link.replace(SHA, 'main')],
  ['to a whole file', (link: string) => link.replace(/#.*/, '')],
  ['of a pull request', () => 'https://github.com/octo/app/pull/7'],
])('4.1 a link %s takes no request, and nothing of it is read', async (_, other) => {
  const emulator = world()
  const link = `${withCode(emulator)}#L1-L4`
  emulator.github.addRepository('octo/other', true)
  emulator.github.addCode(SHA, 'src/add.py', 'EVIL', 'octo/other')
  expectOutcome(await emulator.ask(`/docs explain this\n\n${other(link)}`), 'pull-request')
  expect(linkedIn(emulator)).toBe('')
  expect(readings(emulator)).toEqual([])
  expect(emulator.calls().join()).not.toContain('add.py')
})

test('4.1 what GitHub does not show as code stays the link that it is', async () => {
  const emulator = world()
  const link = withCode(emulator)
  await emulator.ask(`/docs explain this: ${link}#L2, and not that`)
  expect(linkedIn(emulator)).toBe('')
  expect(emulator.prompts()[0]).toContain(`${link}#L2, and not that`)
})

test('4.1 4.2 code that somebody quotes is no code of the request', async () => {
  const emulator = world()
  const link = withCode(emulator)
  await emulator.ask(`/docs explain this\n\n${link}#L1-L2\n\n> quoted\n>\n> ${link}#L4`)
  expect(linkedIn(emulator)).toContain('def add(a):')
  expect(linkedIn(emulator)).not.toContain('"<b>"')
})

test('4.1 a long request of unfinished links is read at once', async () => {
  const emulator = world()
  const begun = `https://github.com/octo/app/blob/${SHA}/`
  const before = process.threadCpuUsage()
  await emulator.ask(`/docs explain ${begun.repeat(750)}`)
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(5000)
  expect(linkedIn(emulator)).toBe('')
})

test('4.1 where GitHub refuses, one warning says so, and the request goes', async () => {
  const emulator = world()
  const link = withCode(emulator)
  const said = emulator.say(`/docs explain this\n\n${link}#L1-L4`)
  const match = { method: 'GET', path: new RegExp(`/issues/comments/${said.id}$`) }
  emulator.faults.add({ match, fault: { kind: 'status', status: 403 } })
  const result = await emulator.act(said)
  expectOutcome(result, 'pull-request')
  expect(result.annotations.map(({ message }) => message).join()).toContain('read the rendered text')
  expect(linkedIn(emulator)).toBe('')
})

test('4.1 4.2 long code has its room, and an edited comment its code', async () => {
  const emulator = world()
  const link = withCode(emulator, 'a line of code\n'.repeat(5000))
  const said = emulator.say(`/docs explain this\n\n${link}#L1-L4000`)
  const comment = emulator.github.comments(ISSUE).find(({ id }) => id === said.id)
  Object.assign(comment ?? {}, { body: `/docs explain that\n\n${link}#L1-L4000` })
  await emulator.act(said)
  expect(linkedIn(emulator).length).toBeLessThanOrEqual(12_000)
  expect(linkedIn(emulator)).toContain('a line of code')
  expect(emulator.lastWords()).toContain('did not get all texts and patches')
})
