import { data, Evaluator, Lexer, Parser, wellKnownFunctions } from '@actions/expressions'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { isRecord } from '../../emulator/http.ts'
import { filesLike, fileText } from './files.ts'

// Which commands wait for each other, as GitHub's own evaluator reads the workflows that people copy (contract 3.2).

const field = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined)

/** The `group` of the job that a comment starts; undefined for a workflow that listens to no comments. */
function groupOf(workflow: unknown): string | undefined {
  if (field(field(workflow, 'on'), 'issue_comment') === undefined) return undefined
  const [job] = Object.values(field(workflow, 'jobs') ?? {})
  const group = field(field(job, 'concurrency'), 'group')
  if (typeof group !== 'string') throw new Error('no group')
  return group
}

const EXAMPLES = filesLike('examples/*.yml').map((file) => [file, fileText(file)] as const)
const QUOTED = filesLike('{*,*/*}.md').flatMap((page) =>
  [...fileText(page).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, yaml = '']) => [page, yaml] as const),
)
const GROUPS = [...EXAMPLES, ...QUOTED].flatMap(([file, yaml]) => {
  const group = groupOf(parse(yaml))
  return group === undefined ? [] : [{ file, group }]
})
/** Without `queue`, what is no command must not replace a command that waits. */
const ENTERPRISE = 'examples/enterprise-server.yml'

const dictionary = (fields: Readonly<Record<string, data.ExpressionData>>): data.Dictionary =>
  new data.Dictionary(...Object.entries(fields).map(([key, value]) => ({ key, value })))

/** `docs-agent-${{ … }}` for a comment on #12, in run 4711. */
const evaluated = (group: string, body: string): string =>
  evaluatedFor(group, {
    comment: dictionary({ body: new data.StringData(body) }),
    issue: dictionary({ number: new data.NumberData(12) }),
  })

function evaluatedFor(text: string, event: Readonly<Record<string, data.ExpressionData>>): string {
  const github = dictionary({ event: dictionary(event), run_id: new data.StringData('4711') })
  return text.replace(/\$\{\{([\s\S]*?)\}\}/g, (_, expression) => {
    const { tokens } = new Lexer(expression).lex()
    const tree = new Parser(tokens, ['github'], Object.values(wellKnownFunctions)).parse()
    return new Evaluator(tree, dictionary({ github })).evaluate().coerceString()
  })
}

const ALONE = [
  ...['/docs help', '/docs status', '/docs skip', '/docs'],
  ...['/DOCS Help', '/Docs STATUS', '/docs Skip', '/docs help ', '/docs status ', '/docs skip '],
  ...['/docs skip because only the tests change', '/docs skip: only the tests change', '/docs Skip: tests'],
  '/docs skip because only\nthe tests change',
]
const REQUESTS = [
  ...['/docs explain the retry option', '/docs new', '/docs new help', '/docs\nexplain', '/docs\r\nstatus'],
  ...['/docs help people to migrate', '/docs status codes', '/docs skip the intro', '/docs skip becauses'],
  ...[
    '/docs status\nof the build',
    '/docs help\r\nreaders',
    '/docs skip\nbecause',
    '/docs helpful',
    '/docs statuses',
  ],
  ...[
    '/docs h',
    '/docs s',
    '/docs stat',
    '/docs ski',
    '/docs explain /docs status',
    '/docs {0}',
    "/docs it's",
  ],
]
const NO_COMMANDS = ['Thanks!', '', 'status', 'skip: it', 'Try /docs status', '/docsy help', '/documents']

test('the README, each example and each page that quotes one are looked at', () => {
  const files = GROUPS.map(({ file }) => file)
  for (const file of ['README.md', 'examples/comment-command.yml', ENTERPRISE]) expect(files).toContain(file)
  expect(files).toHaveLength(6)
})

test.each(GROUPS)('3.2 $file: help, status and skip wait for no request', ({ group }) => {
  for (const body of ALONE)
    expect(evaluated(group, body), JSON.stringify(body)).toMatch(/^docs-agent-.*4711$/)
})

test.each(GROUPS)('3.2 $file: requests of a thread wait for each other', ({ group }) => {
  for (const body of REQUESTS)
    expect(evaluated(group, body), JSON.stringify(body)).toMatch(/^docs-agent-.*12$/)
})

test.each(GROUPS.filter(({ file }) => file === ENTERPRISE))(
  '$file: a comment that is no command replaces no command that waits',
  ({ group }) => {
    for (const body of NO_COMMANDS)
      expect(evaluated(group, body), JSON.stringify(body)).toBe('docs-agent-4711')
  },
)

test.each([
  ['synchronize', 'true'],
  ['labeled', 'false'],
  ['reopened', 'false'],
  ['ready_for_review', 'false'],
  ['closed', 'false'],
] as const)('3.13 docs-with-the-code.yml cancels a run that works: %s, %s', (action, expected) => {
  const [docs] = Object.values(field(parse(fileText('examples/docs-with-the-code.yml')), 'jobs') ?? {})
  const cancels = String(field(field(docs, 'concurrency'), 'cancel-in-progress'))
  expect(evaluatedFor(cancels, { action: new data.StringData(action) })).toBe(expected)
})
