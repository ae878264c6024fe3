import { expect, test } from 'vitest'
import { DIRECT, type Pushed, pushTo } from '../helpers/push.ts'
import { DISPATCH, expectOutcome, ISSUE, type World, world } from '../helpers/world.ts'

// Contract 3.10: a tag belongs to no branch.

const SINCE = { prompt: 'Refresh.', 'issue-number': String(ISSUE), 'changes-since': '7d' }
const OF_TAG = { GITHUB_REF: 'refs/tags/v2', GITHUB_REF_NAME: 'v2' }

const shownRepository = (emulator: World) => ({ ...emulator.shown.repository(), default_branch: 'main' })

function published(emulator: World, more: Readonly<Record<string, unknown>>) {
  const { id } = emulator.github.addRelease({ tag: 'v2' })
  const url = 'https://github.com/octo/app'
  const release = { id, tag_name: 'v2', name: 'Two', body: '', html_url: url, ...more }
  const payload = { action: 'published', release, repository: shownRepository(emulator) }
  return emulator.act({ name: 'release', payload }, { inputs: SINCE, env: OF_TAG })
}

/** One merge into each of two branches. */
function branched(): World {
  const emulator = world()
  emulator.merge({ title: 'INTO MAIN' })
  emulator.merge({ title: 'INTO RELEASE', baseRef: 'release/2' })
  return emulator
}

function expectMerges(emulator: World, branch: string): void {
  const [prompt = ''] = emulator.prompts()
  expect(prompt).toContain(`merged into ${branch} since`)
  const went = new Set(prompt.match(/INTO (?:MAIN|RELEASE)/g))
  expect(went).toEqual(new Set([branch === 'main' ? 'INTO MAIN' : 'INTO RELEASE']))
}

test.each([
  ['a release branch', 'release/2', 'release/2'],
  ['a release branch by its whole name', 'refs/heads/release/2', 'release/2'],
  ['the default branch', 'main', 'main'],
  ['a commit', 'a'.repeat(40), 'main'],
  ['a commit of SHA-256', 'b'.repeat(64), 'main'],
  ['what is no name of a branch', 'release/2\n::error::', 'main'],
  ['nothing', '', 'main'],
  ['what the event does not tell', undefined, 'main'],
])('3.10 a release from %s sends what was merged there', async (_, target, branch) => {
  const emulator = branched()
  expectOutcome(await published(emulator, { target_commitish: target }), 'pull-request')
  expectMerges(emulator, branch)
})

test.each([
  [true, 'Pre-release: Two (v2)'],
  [false, 'Release: Two (v2)'],
  [undefined, 'Release: Two (v2)'],
])('4.1 a release with `prerelease: %s` is named as what it is', async (prerelease, title) => {
  const emulator = branched()
  await published(emulator, { prerelease })
  expect(emulator.prompts()[0]).toContain(`\n${title}\n`)
})

test('3.10 a dispatch on a tag sends what was merged into the default branch', async () => {
  const emulator = branched()
  const event = { ...DISPATCH, payload: { ...DISPATCH.payload, repository: shownRepository(emulator) } }
  expectOutcome(await emulator.act(event, { inputs: SINCE, env: OF_TAG }), 'pull-request')
  expectMerges(emulator, 'main')
})

const NEW = { before: '0'.repeat(40), ref: 'refs/tags/v2' }

test.each([
  ['new, on a commit that is there', { ...NEW, isKnown: true }],
  ['new, with a commit of its own', NEW],
  ['moved', { ref: 'refs/tags/v2' }],
])('3.8 3.10 a pushed tag, %s, sends what was merged into the default branch', async (_, pushed) => {
  const emulator = branched()
  expectOutcome(await pushTo(emulator, DIRECT, pushed, { inputs: SINCE, env: OF_TAG }), 'pull-request')
  expectMerges(emulator, 'main')
  const [prompt = ''] = emulator.prompts()
  expect(prompt).toContain('Push to refs/tags/v2')
  expect(prompt).not.toContain('could not be read')
  expect(emulator.calls('github').filter((call) => /\/compare\//.test(call))).toEqual([])
})

test.each([
  ['labels', { 'merged-labels': 'feature' }],
  ['paths', { paths: 'lib' }],
  ['bots', { 'allowed-bots': '' }],
])('3.10 a pushed tag asks nothing where no merge counts: %s', async (_, inputs) => {
  const emulator = world()
  emulator.merge({
    files: [{ filename: 'src/a.ts' }],
    ...('allowed-bots' in inputs && { user: 'renovate[bot]' }),
  })
  const result = await pushTo(emulator, DIRECT, NEW, { inputs: { ...SINCE, ...inputs }, env: OF_TAG })
  expectOutcome(result, 'skipped', 'no-changes')
  expect(emulator.calls('service')).toEqual([])
})

test.each<[string, Readonly<Record<string, string>>, Pushed & { readonly after?: string }, string]>([
  ['without `changes-since`', { 'changes-since': '' }, {}, 'no-changes'],
  ['that is deleted', {}, { after: '0'.repeat(40) }, 'no-changes'],
  ['that a bot pushed', {}, { by: 'release[bot]' }, 'bot'],
])('3.4 3.8 a pushed tag %s asks nothing', async (_, inputs, { after = DIRECT, ...pushed }, reason) => {
  const emulator = branched()
  const more = { inputs: { ...SINCE, ...inputs }, env: OF_TAG }
  expectOutcome(await pushTo(emulator, after, { ...NEW, isKnown: true, ...pushed }, more), 'skipped', reason)
  expect(emulator.calls('service')).toEqual([])
})
