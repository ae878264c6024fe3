import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { fileText } from './files.ts'

/** What the example runs. */
function guard(): string {
  return parse(fileText('examples/only-docs.yml')).jobs.paths.steps[0].run
}

/** `gh api`, which answers with the file, and knows `--jq` as jq does. */
const GH = `#!/bin/sh
test "$1 $2 $4" = "api --paginate --jq" && exec jq -r "$5" "$(dirname "$0")/$3"
`

test.each([
  ['changes only docs/', [{ filename: 'docs/a.md', status: 'modified' }], []],
  ['moves a file within docs/', [{ filename: 'docs/a.md', ...from('docs/b.md') }], []],
  ['changes code', [{ filename: 'src/a.ts', status: 'modified' }], ['src/a.ts']],
  ['moves code into docs/', [{ filename: 'docs/a.ts', ...from('src/a.ts') }], ['src/a.ts']],
  ['moves docs elsewhere', [{ filename: 'src/a.md', ...from('docs/a.md') }], ['src/a.md']],
  ['has a name that looks right', [{ filename: 'x\ndocs/a.md', status: 'added' }], ['x\\ndocs/a.md']],
])('the path guard of a pull request that %s', async (_, files, refused) => {
  const folder = await mkdtemp(join(tmpdir(), 'guard-'))
  await writeFile(join(folder, 'gh'), GH, { mode: 0o755 })
  await writeFile(join(folder, 'files'), JSON.stringify(files))
  const env = { PATH: `${folder}${delimiter}${process.env.PATH}`, FILES: 'files' }
  // As the runner starts a step without `shell:`.
  const run = promisify(execFile)('bash', ['-e', '-c', guard()], { cwd: folder, env })
  const { code, stdout } = await run.then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => error,
  )
  const errors = refused.map((file) => `::error::Revert the changes to "${file}": only docs/ may change.\n`)
  expect([code, stdout]).toEqual([refused.length, errors.join('')])
})

function from(previous_filename: string) {
  return { status: 'renamed', previous_filename }
}
