import { describe, expect, test } from 'vitest'
import { fitPatches, fitRest } from '../../src/prompt/fit-patches.ts'

const file = (path: string, ...patch: readonly string[]) => ({ path, patch: patch.join('\n') })
const changed = (path: string, ...lines: readonly string[]) => file(path, '@@ -1,9 +1,9 @@', ...lines)
const times = (n: number, line: (at: number) => string) => Array.from({ length: n }, (_, at) => line(at))
/** Brings a name of its own in each line. */
const long = (path: string, lines = 400) =>
  changed(path, ...times(lines, (at) => `+const field${at}Name = ${at}`))

const SMALL = changed('src/retry.ts', ' const a = 1', '-retry(3)', '+retry(3, { maxAge: 5 })')

describe('what fits goes as it is', () => {
  test.each([
    ['one file', [SMALL]],
    ['several', [SMALL, changed('test/retry.test.ts', '+expect(1)'), changed('README.md', '+# Retries')]],
    ['a file that a program writes', [changed('package-lock.json', '+"a": 1'), SMALL]],
  ])('%s', (_, files) => {
    const text = files.map(({ path, patch }) => `--- ${path}\n${patch}`).join('\n\n')
    expect(fitPatches(files, text.length)).toEqual({ text, legend: '', generated: 0, lines: 0 })
    expect(fitPatches(files, text.length - 1).text).not.toBe(text)
  })

  test.each([
    ['no file', []],
    ['a file of which nobody sees a sign', [file('a.txt', '\u202e')]],
    ['a binary file, a renamed one, one whose mode changed', [file('a.png'), file('b.ts'), file('c.sh')]],
  ])('%s: there is nothing to show', (_, files) => {
    expect(fitPatches(files, 0)).toEqual({ text: '', legend: '', generated: 0, lines: 0 })
  })
})

describe('a file that a program writes goes by name alone where not all fits', () => {
  test.each([
    ...['package-lock.json', 'web/pnpm-lock.yaml', 'Cargo.lock', 'go.sum', 'NuGet/packages.lock.json'],
    ...[
      'infra/.terraform.lock.hcl',
      'gradle.lockfile',
      'npm-shrinkwrap.json',
      'test/__snapshots__/a.ts.snap',
    ],
    ...[
      'tests/cassettes/login.yaml',
      'dist/index.js',
      'web/app.min.js',
      'web/app.js.map',
      'vendor/a/b.go',
      'third-party/a.c',
    ],
    ...['api/v1/types.pb.go', 'api/types_pb2.py', 'api/types_pb2_grpc.pyi', 'src/API.Generated.cs'],
    ...['src/generated/client.ts', 'pkg/zz_generated.deepcopy.go', 'src/routes.gen.ts', 'docs/logo.svg'],
    ...['data/rates.csv', 'locale/de.po', 'Gemfile.LOCK'],
  ])('%s', (path) => {
    const { text, generated, lines } = fitPatches([long(path), SMALL], 2000)
    expect([text, generated, lines]).toEqual([`--- src/retry.ts\n${SMALL.patch}`, 1, 0])
  })

  test.each([
    'build/tool.py',
    'out/of/order.ts',
    'gen/names.go',
    'src/lock.ts',
    'src/snapshot.ts',
    'a.ipynb',
  ])('%s is written by people', (path) => {
    const { text, generated } = fitPatches([long(path), SMALL], 2000)
    expect(text).toContain(`--- ${path}\n`)
    expect(generated).toBe(0)
  })

  test('where all are such files, nothing is left to show', () => {
    expect(fitPatches([long('yarn.lock'), long('go.sum'), long('a.svg')], 2000)).toEqual({
      text: '',
      legend: '',
      generated: 3,
      lines: 0,
    })
  })
})

describe('else lines are chosen', () => {
  const filler = times(60, () => '+    return value')

  test.each([
    ['a name', '+  const retryAfter = 5'],
    ['a name in snake case', '+  retry_after = 5'],
    ['a flag', "+  .option('--retry-after')"],
    ['a word', '+  // Retries'],
  ])('a line that brings %s goes before those that do not', (_, line) => {
    const { text, lines } = fitPatches([changed('a.ts', ...filler, line, ...filler)], 400)
    expect(text).toContain(`…\n${line}\n`)
    expect(lines).toBeGreaterThan(100)
    expect(text).toMatch(/\n\[\d+ more lines\]$/)
  })

  test('spellings of one name are one, and a name goes before a word', () => {
    const lines = ['+maxAge', ...filler, '+max_age', ...filler, '+--max-age', ...filler, '+word', '+newName']
    const { text } = fitPatches([changed('a.ts', ...lines)], 137)
    expect(text.split('\n')).toEqual([
      ...['--- a.ts', '@@ ', '+maxAge', ...filler.slice(0, 4), '…', '+word', '+newName', '[178 more lines]'],
    ])
  })

  test('each stands in its order, below its file and the heading of its hunk', () => {
    const [first, second] = ['@@ -1,200 +1,200 @@ class Client {', '@@ -800,9 +800,9 @@ function retry() {']
    const patch = [
      first,
      ' open() {',
      '+  openTimeout()',
      ...filler,
      second,
      ' {',
      '-  oldDelay()',
      '+  newDelay()',
    ]
    const { text } = fitPatches([file('a.ts', ...patch, ...filler), file('b.ts', second, '+ bName')], 247)
    expect(text.split('\n')).toEqual([
      ...['--- a.ts', '@@ class Client {', '+  openTimeout()', ...filler.slice(0, 3)],
      ...['@@ function retry() {', '-  oldDelay()', '+  newDelay()', '[117 more lines]', ''],
      ...['--- b.ts', '@@ function retry() {', '+ bName'],
    ])
  })

  test('code goes before tests', () => {
    const files = [
      long('__tests__/a.ts'),
      long('a_test.go'),
      changed('src/b.ts', '+oneName'),
      long('tests/c.py'),
    ]
    const { text } = fitPatches(files, 700)
    expect(text.match(/^--- .+$/gm)?.[0]).toBe('--- src/b.ts')
  })

  test('a long file leaves half of the room to those behind it', () => {
    const more = changed('b.ts', ...times(2000, (at) => `+const other${at}Name = ${at}`))
    const files = [long('a.ts', 2000), more, changed('c.ts', '+lastName')]
    const { text } = fitPatches(files, 10_000)
    const lengths = text.split('--- ').map(({ length }) => length)
    expect(text).toContain('+lastName')
    expect(lengths[1]).toBeGreaterThan(4000)
    expect(lengths[2]).toBeGreaterThan(2000)
  })

  test('one or two lines between two that are shown go along', () => {
    const pair = ['+firstName', '+}', '+', '+secondName']
    const { text } = fitPatches([changed('a.ts', ...pair, ...filler)], 280)
    expect(text).toContain(pair.join('\n'))
  })

  test('where all changed lines fit, nothing is missing, and lines around them have the rest', () => {
    const around = times(400, (at) => ` unchanged ${at}`)
    const { text, lines, legend } = fitPatches([changed('a.ts', ...around, '+newName', ...around)], 450)
    expect(lines).toBe(0)
    expect(text).toContain('\n unchanged 399\n+newName\n unchanged 0')
    expect(legend).toMatch(/^All changed lines are there/)
  })
})

describe('what no person wrote does no harm', () => {
  test('of a line of 400,000 characters the start goes, and the others stay', () => {
    const { text, lines } = fitPatches([changed('data.json', `+${'fooBar '.repeat(60_000)}`), SMALL], 5000)
    expect(text.length).toBeLessThan(2500)
    expect(text).toContain('+retry(3, { maxAge: 5 })')
    expect(lines).toBe(1)
  })

  test('3,000 files and one of 20 MB stay in their room', () => {
    const lines = times(20, (at) => `+const name${at} = 1`)
    const many = Array.from({ length: 3000 }, (_, at) => changed(`src/${at}.ts`, ...lines))
    const line = '+a line of some fifty characters, as in any log file\n'
    const huge = file('huge.txt', '@@ -0,0 +1,400000 @@', line.repeat(400_000).trimEnd())
    for (const files of [many, [huge, SMALL]]) {
      const { text, lines } = fitPatches(files, 20_000)
      expect(text.length).toBeLessThanOrEqual(20_000)
      expect(text.length).toBeGreaterThan(15_000)
      expect(lines).toBeGreaterThan(50_000)
    }
  })

  test.each([
    ['no room', 0],
    ['less than a heading', 25],
    ['less than a line', 70],
  ])('%s: nothing goes, and all lines are counted', (_, room) => {
    expect(fitPatches([long('a/path/of/some/length.ts')], room)).toEqual({
      text: '',
      legend: '',
      generated: 0,
      lines: 400,
    })
  })

  test('lines that readers do not see, or see in another order, do not go', () => {
    const { text } = fitPatches([changed('a.ts', '+vis\u200bible', '+x\u202ey'), long('b.ts')], 2000)
    expect(text).toContain('+visible\n[text in another direction]\n')
  })
})

describe('the rest of a digest', () => {
  const linesIn = (text: string) => text.match(/^[+-](?!-- ).*$/gm) ?? []

  test.each([
    ['one long file', [long('src/a.ts', 200)]],
    ['several', [long('src/a.ts', 90), SMALL, long('src/b/c.ts', 90)]],
    ['tests behind the code', [long('test/a.test.ts', 90), long('src/a.ts', 90)]],
    ['lines that say nothing', [changed('src/a.ts', ...times(300, (at) => `+${'x'.repeat(at % 40)}}`))]],
  ])('is each changed line that did not go, once: %s', (_, files) => {
    const before = fitPatches(files, 3000)
    const rest = fitRest(files, 3000, 20_000)
    expect(rest.lines).toBe(0)
    expect(before.lines).toBe(linesIn(rest.text).length)
    const all = files.flatMap(({ patch }) => linesIn(patch))
    expect([...linesIn(before.text), ...linesIn(rest.text)].sort()).toEqual(all.sort())
  })

  test('has no lines that went, and no unchanged ones, in its gaps', () => {
    const lines = times(60, (at) => (at % 3 === 0 ? ` const same${at} = 1` : `+const field${at}Name = ${at}`))
    const files = [changed('src/a.ts', ...lines)]
    const { text } = fitRest(files, 600, 20_000)
    expect(text).toMatch(/^--- src\/a\.ts\n@@ \n\+const field/)
    expect(text).not.toContain('same')
    expect(text).toContain('\n…\n')
  })

  test.each([
    ['what fits', [SMALL], 3000],
    ['nothing', [], 0],
    ['files that a program writes', [long('package-lock.json'), SMALL], 3000],
  ])('is nothing behind %s', (_, files, before) => {
    expect(fitRest(files, before, 20_000)).toEqual({ text: '', lines: 0 })
  })

  test.each([0, 200, 1000])('stays within a room of %i, and counts what is left out again', (room) => {
    const files = [long('src/a.ts'), long('src/b.ts')]
    const before = fitPatches(files, 3000)
    const { text, lines } = fitRest(files, 3000, room)
    expect(text.length).toBeLessThanOrEqual(room)
    expect(lines).toBe(before.lines - linesIn(text).length)
  })

  test('counts lines whose ends go with neither', () => {
    const files = [
      changed(
        'src/a.ts',
        `+const longName = '${'x'.repeat(5000)}'`,
        ...times(400, (at) => `+let b${at}Name`),
      ),
    ]
    expect(fitPatches(files, 6000).text).toContain('longName')
    expect(fitRest(files, 6000, 20_000).lines).toBe(1)
  })
})
