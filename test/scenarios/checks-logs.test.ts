import { expect, test } from 'vitest'
import type { Fault, FaultMatch } from '../../emulator/faults.ts'
import type { Check } from '../../emulator/github/checks.ts'
import { asksToFix, checkedWorld, fixes } from '../helpers/checked-world.ts'
import type { World } from '../helpers/world.ts'

const LOG: FaultMatch = { host: 'github', method: 'GET', path: /\/actions\/jobs\/\d+\/logs$/ }
const STORED: FaultMatch = { host: 'storage' }

const TIME = '2026-01-01T09:00:00.1234567Z '
const HEADER = ['##[group]Run mint broken-links', 'env:', '  DOCS_HOST: internal.example', '##[endgroup]']
const log = (...output: readonly string[]): string =>
  [...HEADER, ...output, '##[error]Process completed with exit code 1.']
    .map((line) => `${TIME}${line}\n`)
    .join('')

const links = (more: Partial<Check> = {}): Check => ({
  ...{ name: 'links', conclusion: 'failure', text: 'Read **all** of it', ...more },
  log: log('found 1 broken links', 'guide/start.mdx', ' ⎿  /retries', 'mail jane@example.com, test-token'),
})

const logs = ({ requests }: World): number => requests.filter(({ path }) => LOG.path?.test(path)).length

/** What people can read of a run. */
const shown = (emulator: World, run: object): string => JSON.stringify([run, emulator.bodies()])

test('4.12 the log of a failing step and the details of a check go back in the fence alone', async () => {
  const emulator = checkedWorld([[links()], []])
  const run = await asksToFix(emulator, { 'fix-attempts': '1' })
  expect(run.annotations).toEqual([])
  const [fix = ''] = fixes(emulator)
  expect(fix).toContain(
    'The end of the log of `links`:\nfound 1 broken links\nguide/start.mdx\n ⎿  /retries\nmail [email], ***\nerror: ',
  )
  expect(fix).toContain('`links`:\nRead all of it')
  expect(fix).not.toContain('internal.example')
  expect(shown(emulator, run)).not.toMatch(/broken links|guide.start|all of it/)
  const stored = emulator.requests.filter(({ host }) => host === 'storage')
  expect(stored).toHaveLength(1)
  expect(JSON.stringify(stored.map(({ headers }) => headers))).not.toMatch(/token|authorization/)
})

test.each([
  ['an address', 'mail jane@example.com', 'mail [email]'],
  ['a key of the run', 'used test-token', 'used ***'],
  ['another key', `used ghp_${'a1'.repeat(18)}`, 'used [key]'],
  ['a key at the end of the room', `${'x '.repeat(490)}ghp_${'a1'.repeat(18)}`, '[key]'],
])('4.12 what a check says of a line is masked as a log is: %s', async (_, message, said) => {
  const annotations = [{ path: 'guide/start.mdx', line: 3, message }]
  const emulator = checkedWorld([[links({ annotations })], []])
  await asksToFix(emulator, { 'fix-attempts': '1' })
  const [fix = ''] = fixes(emulator)
  const line = fix.split('\n').find((one) => one.startsWith('guide/start.mdx:3')) ?? ''
  expect(line).toContain(said)
  expect(line).not.toMatch(/jane|test-token|ghp_/)
})

test.each<[string, Record<string, string>, boolean]>([
  ['stay', {}, false],
  ['stay also with `check-logs: false`', { 'check-logs': 'false' }, false],
  ['go with `check-logs: true`', { 'check-logs': 'true' }, true],
])('4.12 from a repository that is not public, logs and details %s', async (_, inputs, go) => {
  const emulator = checkedWorld([[links()], []], { docsRepository: 'octo/docs', tokenCoversDocs: true })
  const run = await asksToFix(emulator, { 'fix-attempts': '1', ...inputs })
  const [fix = ''] = fixes(emulator)
  expect(fix).toMatch(/Check: links \(failure\)/)
  expect([fix.includes('/retries'), fix.includes('all of it'), logs(emulator)]).toEqual([go, go, go ? 1 : 0])
  expect(fix.includes('Their logs and details are left out, because the repository is not public.')).toBe(!go)
  expect(run.log.includes('octo/docs is not public, so the agent gets no logs')).toBe(!go)
  expect(run.annotations).toEqual([])
})

const ONE = 'Could not read the log of a failing job'

test.each<[string, FaultMatch, Fault, RegExp]>([
  ['is gone', LOG, { kind: 'status', status: 410, body: { message: 'Gone' } }, /HTTP 410: Gone/],
  [
    'is refused',
    LOG,
    { kind: 'status', status: 403, body: { message: 'Resource not accessible' } },
    /line actions: read under/,
  ],
  ['is led to a host that answers nothing', STORED, { kind: 'stall' }, /no answer within 10 s/],
  ['is led to a host that breaks', STORED, { kind: 'reset' }, /connection/],
  [
    'is led on',
    STORED,
    { kind: 'redirect', location: 'https://evil.example/', status: 302 },
    /leads to another address/,
  ],
  ['has no address', LOG, { kind: 'status', status: 302 }, /no usable address/],
])(
  '4.12 a log that %s: one sentence says so, and the message goes without it',
  async (_, match, fault, said) => {
    const emulator = checkedWorld([[links()], []])
    emulator.faults.add({ match, fault, times: Number.POSITIVE_INFINITY })
    const run = await asksToFix(emulator, { 'fix-attempts': '1' })
    expect(run.annotations).toMatchObject([{ level: 'warning', message: expect.stringContaining(ONE) }])
    expect(run.annotations[0]?.message).toMatch(said)
    const [fix = ''] = fixes(emulator)
    expect(fix).toContain('1 log could not be read.')
    expect(fix).toContain('Read all of it')
    expect(run.outputs).toMatchObject({ outcome: 'pull-request', fixes: '1' })
  },
)

test('4.12 of six failing jobs the logs of five go, those of other Apps have none, and all fit', async () => {
  const many = Array.from({ length: 6 }, (_, at) => ({
    ...links({ name: `job ${at}`, summary: 'so much to say. '.repeat(2000) }),
    log: log(...Array.from({ length: 3000 }, (_, line) => `output ${at}-${line}`)),
  }))
  const emulator = checkedWorld([[...many, links({ name: 'deploy', app: 'netlify' })], []])
  await asksToFix(emulator, { 'fix-attempts': '1' })
  const [fix = ''] = fixes(emulator)
  expect(logs(emulator)).toBe(5)
  expect(fix.match(/The end of the log of `job \d`:/g)).toHaveLength(5)
  expect(fix).toContain('1 more log has no room here.')
  expect(fix.match(/\[cut: /g)).toHaveLength(6)
  expect(fix.length).toBeLessThan(14_000)
})

test('4.12 the log of what fails on the base branch, too, stays there', async () => {
  const emulator = checkedWorld([[links(), links({ name: 'old' })], []])
  emulator.github.addChecks(emulator.github.branchHead('main'), [links({ name: 'old' })])
  await asksToFix(emulator, { 'fix-attempts': '1' })
  expect(logs(emulator)).toBe(1)
  expect(fixes(emulator)[0]).not.toContain('The end of the log of old')
})
