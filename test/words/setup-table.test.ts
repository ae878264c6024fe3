import { expect, test } from 'vitest'
import { GitHubError } from '../../src/base/errors.ts'
import { setupSection } from '../../src/features/dry-run/setup-table.ts'

const refused = (httpStatus: number, detail: string) => ({
  error: new GitHubError({ kind: 'refused', httpStatus, detail, triedMs: 0 }),
})

const away = {
  error: new GitHubError({ kind: 'away', httpStatus: 502, detail: 'Bad gateway', triedMs: 120_000 }),
}

test('what GitHub did not answer is neither right nor wrong', () => {
  const page = setupSection({ files: away })
  expect(page).toContain('Everything that could be checked works.')
  expect(page).toContain('| not proven: Could not read the changed files (GitHub answered HTTP 502 for 2 min')
})

test('what the service did not answer says why the key stays unproven', () => {
  const why = 'The request to read the job got no answer. Check `base-url`.'
  expect(setupSection({ key: { why } })).toContain(`| use the API key | not proven: ${why} |`)
})

test("GitHub's words cannot break the table", () => {
  const page = setupSection({ comparison: refused(404, 'Not | Found\n| a | `b` |') })
  const rows = page.split('\n').filter((line) => line.startsWith('|'))
  expect(rows).toHaveLength(3)
  expect(rows.at(-1)?.match(/\|/g)).toHaveLength(3)
})
