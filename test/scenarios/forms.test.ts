import { expect, test } from 'vitest'
import { inTurn, testMatrix } from '../helpers/matrix.ts'
import { PLACES, PULL, writtenIn } from '../helpers/three-places.ts'
import { expectOutcome, ownWorld, type World } from '../helpers/world.ts'

// Contract 3.1 to 3.3: the forms in which people write, in each place that takes a command.

function pulled(): World {
  const emulator = ownWorld()
  emulator.github.addPullRequest({ number: PULL, user: 'carol', title: 'Add retries' })
  return emulator
}

const inEachPlace = <T extends readonly unknown[]>(rows: readonly T[]) =>
  testMatrix(
    PLACES.flatMap((place) => rows.map((row) => [place, ...row] as const)),
    inTurn(PLACES.length, rows.length),
  )

inEachPlace([
  [' /docs explain retries'],
  ['\u00a0/docs explain retries'],
  ['\ufeff/docs explain retries'],
  ['\u200e/docs explain retries'],
  ['<!-- a template -->\n/docs explain retries'],
  ['`/docs explain retries`'],
  ['／docs explain retries'],
])('3.1 %s: %j asks', async (place, body) => {
  const emulator = pulled()
  expectOutcome(await emulator.act(writtenIn(emulator, place, body)), 'pull-request')
  expect(emulator.prompts()[0]).toMatch(/\n\nexplain retries\n\n/)
})

inEachPlace([
  ['    /docs explain'],
  ['\u200b/docs explain'],
  ['<!-- /docs explain -->'],
  ['`/docs explain` is how you ask'],
  ['```\n/docs explain\n```'],
  ['> /docs explain'],
])('3.1 %s: %j is no command, and no one hears of it', async (place, body) => {
  const emulator = pulled()
  expectOutcome(await emulator.act(writtenIn(emulator, place, body)), 'skipped', 'not-a-command')
  expect(emulator.requests).toEqual([])
})

inEachPlace([
  ['status please', 'status'],
  ['status of this PR, thanks!', 'status'],
  ['help me', 'help'],
  ['-h', 'help'],
  ['skip this PR', 'docs-skipped'],
  ['skip since only the tests change', 'docs-skipped'],
  ['skip due to a refactoring', 'docs-skipped'],
  ['retry', 'help'],
  ['try that again please', 'help'],
  ['cancel', 'help'],
  ['Stop it!', 'help'],
  ['thanks', 'help'],
  ['skip, only document the flag', 'help'],
  ['skip this PR. Document retries instead.', 'help'],
  ['skip\n\nSent from my iPhone', 'docs-skipped'],
])('3.2 %s: `/docs %s` costs nothing, and is answered', async (place, words, reason) => {
  const emulator = pulled()
  const result = await emulator.act(writtenIn(emulator, place, `/docs ${words}`))
  expectOutcome(result, 'skipped', reason)
  expect(emulator.calls('service')).toEqual([])
  expect(emulator.bodies(PULL)).toHaveLength(1)
})

inEachPlace([
  ['skip the intro'],
  ['skip the retries, and explain limits'],
  ['status codes are missing'],
  ['help people to migrate'],
  ['retry, the credits are back'],
  ['stop saying "simply"'],
])('3.2 %s: `/docs %s` is a request', async (place, words) => {
  const emulator = pulled()
  expectOutcome(await emulator.act(writtenIn(emulator, place, `/docs ${words}`)), 'pull-request')
  expect(emulator.prompts()[0]).toContain(`\n\n${words}\n\n`)
})

inEachPlace([
  ['/docs explain retries\n\n/docs skip', 'Only the first command of the comment counted'],
  ['/docs explain retries\n/docs status\n/docs help', 'Only the first command of the comment counted'],
  ['/docs status\n\nExplain retries.', 'The rest of the comment was left out'],
  ['/docs status\n／docs explain retries', 'Only the first command of the comment counted'],
])('3.2 %s: of %j the first command counts, and the answer says so', async (place, body, said) => {
  const emulator = pulled()
  await emulator.act(writtenIn(emulator, place, body))
  expect(emulator.lastWords(PULL)).toContain(said)
  const isAsked = body.startsWith('/docs explain')
  expect(emulator.prompts()).toHaveLength(isAsked ? 1 : 0)
  for (const prompt of emulator.prompts()) expect(prompt).not.toMatch(/\/docs (skip|status|help)/)
})

inEachPlace([
  ['/docs skip because of tests\n/docs explain retries'],
  ['/docs skip\n\n／docs: shorten it'],
  ['/docs skip: typos\n/docs status'],
])('3.2 %s: %j could be either, and the answer says both forms', async (place, body) => {
  const emulator = pulled()
  expectOutcome(await emulator.act(writtenIn(emulator, place, body)), 'skipped', 'help')
  expect(emulator.lastWords(PULL)).toContain('could skip the documentation, or ask for something')
  expect(emulator.prompts()).toHaveLength(0)
})

inEachPlace([['/docs explain'], ['/docs status'], ['/docs skip']])(
  '3.3 %s: a maintainer re-runs the refused %s of a reader: the answer says what helps',
  async (place, body) => {
    const emulator = pulled()
    const event = writtenIn(emulator, place, body, { by: 'mallory' })
    expectOutcome(await emulator.act(event), 'skipped', 'permission-denied')
    expect(emulator.lastWords(PULL)).toContain('A maintainer can run it for you.')
    expectOutcome(await emulator.act(event, { attempt: 2 }), 'skipped', 'permission-denied')
    expect(emulator.bodies(PULL)).toHaveLength(1)
    expect(emulator.lastWords(PULL)).toContain('Repeat the command in your own words')
    expect(emulator.calls('service')).toEqual([])
  },
)

const DELETED = {
  issue_comment: ({ github }: World) => {
    for (const { id } of github.comments(PULL)) github.deleteComment(id)
  },
  pull_request_review_comment: ({ github }: World) => github.repo().comments.review.clear(),
} as const

test.each(
  (Object.keys(DELETED) as (keyof typeof DELETED)[]).flatMap((place) =>
    ['/docs explain', '/docs status', '/docs retry'].map((body) => [place, body] as const),
  ),
)('3.1 %s: %s, deleted before the run reads the thread, asks nothing', async (place, body) => {
  const emulator = pulled()
  const event = writtenIn(emulator, place, body)
  DELETED[place](emulator)
  const result = await emulator.act(event)
  expectOutcome(result, 'skipped', 'comment-gone')
  expect(result.annotations).toEqual([])
  expect(emulator.calls('service')).toEqual([])
  expect(emulator.bodies(PULL)).toEqual([])
})
