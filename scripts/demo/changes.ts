import type { ChangedFile } from '../../emulator/github/model.ts'
import type { Change } from '../../emulator/service/turn.ts'

/** What the emulated agent writes: titles and diffs of its pull requests. */

/** The issue that the demo begins with. */
export const ISSUE = {
  number: 12,
  title: 'The retry option is not documented',
  body: 'Since 2.4 `fetchAll` takes `retry: { limit, backoff }`. The guide does not mention it.',
} as const

/** A file with its diff, from which the counts follow. */
export function changed(filename: string, patch: string): ChangedFile {
  const lines = patch.split('\n')
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  return { filename, additions: count('+'), deletions: count('-'), patch }
}

const GUIDE = 'docs/guides/fetching.mdx'

export const EXPLAINED: Change = {
  title: 'Document the retry option of fetchAll',
  body: 'Adds a section on `retry` to the guide on fetching.',
  files: [
    changed(
      GUIDE,
      `@@ -18,3 +18,14 @@ const pages = await fetchAll(urls)
 A request that takes longer than 30 seconds fails.

+## Retries
+
+Set \`retry\` to repeat requests that fail:
+
+| Option | Default | Meaning |
+| --- | --- | --- |
+| \`limit\` | \`2\` | How often a request is repeated |
+| \`backoff\` | \`1000\` | Milliseconds before the first retry |
+
+Only requests that change nothing on the server are repeated.
+
 ## Errors`,
    ),
  ],
}

export const SHORTENED: Change = {
  files: [
    changed(
      GUIDE,
      `@@ -18,3 +18,9 @@ const pages = await fetchAll(urls)
 A request that takes longer than 30 seconds fails.

+## Retries
+
+\`retry: { limit: 2, backoff: 1000 }\` repeats a failed request
+twice, the first time after a second. Only requests that
+change nothing on the server are repeated.
+
 ## Errors`,
    ),
  ],
}

export const WEBHOOKS: Change = {
  title: 'List all webhooks',
  body: 'Adds the three webhooks that the reference leaves out.',
  files: [
    changed(
      'docs/reference/webhooks.mdx',
      `@@ -9,2 +9,5 @@
 | \`project.created\` | A project is created |
 | \`project.deleted\` | A project is deleted |
+| \`key.expired\` | An API key expires |
+| \`export.finished\` | An export can be downloaded |
+| \`export.failed\` | An export fails |`,
    ),
  ],
}
