import { changed, created, GUIDE } from './changes.ts'
import { HOUR_MS, MINUTE_MS, type Plot, type Story } from './story.ts'

/** As in examples/two-repositories.yml. */
const INPUTS = { 'fix-attempts': '2', reviewers: 'requester', labels: 'documentation' }

const ISSUE = {
  number: 15,
  title: 'Exports can be cancelled',
  body: 'Since 2.5 `cancelExport(id)` stops an export. Readers look for it in the guide.',
}

const WRITTEN = {
  title: 'Document how to cancel an export',
  body: 'Adds a page on cancelling exports.',
  files: [
    created('guides/cancel-an-export.mdx', '`cancelExport(id)` stops an export that has not ended.'),
    changed(GUIDE, '@@ -40,0 +41 @@\n+See [how to cancel an export](/guides/cancel-an-export).'),
  ],
}

/** The issue is in octo/app, the pull request in octo/docs: the token of an App reaches both. */
async function tell(story: Story): Promise<void> {
  const { github, service } = story.emulator
  await story.later(2 * HOUR_MS)
  github.addIssue({ ...ISSUE, user: 'bob' })
  service.script.push({ durationMs: 7 * MINUTE_MS, change: WRITTEN })
  github.checks.script.push([{ name: 'links', takesMs: MINUTE_MS }])
  await story.later(11 * MINUTE_MS)
  await story.run(story.says('alice', ISSUE.number, '/docs explain cancelExport'), {
    inputs: INPUTS,
    expected: { outcome: 'pull-request', checks: 'success' },
  })
  await story.later(HOUR_MS)
  story.tells(
    story.docs,
    'alice reviewed it: the action had asked her to, and had set the label documentation',
  )
  story.mergesDocs('alice')
}

export const APART: Plot = {
  title: 'Docs in another repository',
  about:
    'The issue is in octo/app, and the docs are in octo/docs. With the token of a GitHub App, the action follows the checks there, and asks alice for a review.',
  options: { docsRepository: 'octo/docs', tokenCoversDocs: true },
  tell,
}
