import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { VisitorRow } from '../../emulator/service/visitors.ts'
import { row, visitorsScene } from '../helpers/analytics.ts'
import { docsJson, SHAPES } from '../helpers/navigations.ts'

const DATES = { 'date-from': '2026-07-01', 'date-to': '2026-08-01' }
const JULY = Date.UTC(2026, 6, 1)

/** Each reads `FILE` as the page says, and prints the number of rows, the sums and the first cells of both columns of text. */
const FIELDS = '"human", "ai", "total", "before", "change"'
const REPORT = `
import json
print(json.dumps({"rows": len(rows), "sums": {f: int(sum(r[f] or 0 for r in rows)) for f in [${FIELDS}]},
  "paths": [r["path"] for r in rows], "groups": [r["group"] or "" for r in rows],
  "versions": [str(r["version"] or "") for r in rows]}))`
const NAMES = 'path human ai total before change kind tab group language version'.split(' ')

const DUCKDB = '.fetchall(); rows = [dict(zip(NAMES, row)) for row in rows]'

const READERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pandas: {
    csv: `import pandas; rows = pandas.read_csv(FILE, dtype={'version': str}, keep_default_na=False).to_dict("records")`,
    ndjson: `import pandas; rows = pandas.read_json(FILE, lines=True, dtype=False).to_dict("records")`,
    json: `import pandas; rows = pandas.read_json(FILE, dtype=False).to_dict("records")`,
  },
  DuckDB: {
    csv: `import duckdb; rows = duckdb.sql("FROM read_csv('" + FILE + "', types = {'path': 'VARCHAR', 'version': 'VARCHAR'})")${DUCKDB}`,
    ndjson: `import duckdb; rows = duckdb.sql("FROM '" + FILE + "'")${DUCKDB}`,
    json: `import duckdb; rows = duckdb.sql("FROM '" + FILE + "'")${DUCKDB}`,
  },
  polars: {
    csv: `import polars; rows = polars.read_csv(FILE, infer_schema_length=None, schema_overrides={'version': polars.String}).to_dicts()`,
    ndjson: `import polars; rows = polars.read_ndjson(FILE, infer_schema_length=None).to_dicts()`,
    json: `import polars; rows = polars.read_json(FILE, infer_schema_length=None).to_dicts()`,
  },
}

const PYTHON = join(process.env.TOOLS ?? '.', 'python', 'bin', 'python')

function read(code: string, file: string): unknown {
  const script = `FILE = ${JSON.stringify(file)}\nNAMES = ${JSON.stringify(NAMES)}\n${code}\n${REPORT}`
  return JSON.parse(execFileSync(PYTHON, ['-c', script], { encoding: 'utf8' }))
}

const HOSTILE = [
  '/2026/11/28',
  '/a,b',
  '/a;b',
  '/=1+1',
  '/true',
  '/ja/はじめに',
  '/a\tb"c',
  '/NA',
  '/null',
  '/007',
]

const MANY = [
  ...HOSTILE.map((path, at) => row(path, at % 2)),
  row('/guides/start', 1200, 30),
  row('/guides', 1),
]
const EARLIER = [row('/guides/start', 1500), row('/gone', 3)]

async function written(
  format: string,
  now: readonly VisitorRow[],
  before: readonly VisitorRow[],
  navigation: object = SHAPES.groups?.navigation ?? {},
) {
  const { run, workspace } = visitorsScene({ rows: 0, visited: (from) => (from === JULY ? now : before) })
  mkdirSync(workspace, { recursive: true })
  writeFileSync(join(workspace, 'docs.json'), JSON.stringify(docsJson(navigation)))
  const inputs = { ...DATES, file: `v.${format}`, compare: 'true', 'navigation-file': 'docs.json' }
  const { exitCode, log } = await run(inputs)
  expect(exitCode, log).toBe(0)
  return join(workspace, `v.${format}`)
}

const CASES = Object.entries(READERS).flatMap(([tool, formats]) =>
  Object.entries(formats).map(([format, code]) => [tool, format, code] as const),
)

test.each(CASES)(
  '7.2 %s reads a .%s file, and its rows, sums and paths are right',
  async (_, format, code) => {
    const file = await written(format, MANY, EARLIER)
    const paths = HOSTILE.map((path) => (path === '/a\tb"c' ? '/a%09b%22c' : path))
    expect(read(code, file)).toMatchObject({
      rows: 15,
      sums: { human: 1206, ai: 30, total: 1236, before: 1503, change: -267 },
      paths: [...paths, '/guides/start', '/guides', '/gone', '/guides/a', '/internal/page'],
      groups: [...HOSTILE.map(() => ''), 'Guides', 'Guides', '', 'Guides › Inner', 'Hidden'],
    })
  },
)

test.each(CASES)(
  '7.2 %s reads versions and groups of a .%s file as they are named',
  async (_, format, code) => {
    const versions = ['1.9', '1.10', '2.0'].map((version) => ({
      version,
      groups: [{ group: 'None', pages: [`v${version}/start`] }],
    }))
    const file = await written(format, [row('/v1.10/start', 1)], [], { versions })
    expect(read(code, file)).toMatchObject({
      versions: ['1.10', '1.9', '2.0'],
      groups: ['None', 'None', 'None'],
    })
  },
)

// A file of no row says nothing of the types of its columns.
const OF_ONE = [['/only', 1]] as const
test.each(CASES)('7.2 %s reads a .%s file of one row', async (_, format, code) => {
  const [[path, human]] = OF_ONE
  const file = await written(format, [row(path, human)], [])
  expect(read(code, file)).toMatchObject({ rows: 5, sums: { human: 1, total: 1, before: 0, change: 1 } })
})
