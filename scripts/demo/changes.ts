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
const PLACE = `@@ -18,3 +18,14 @@ const pages = await fetchAll(urls)
 A request that takes longer than 30 seconds fails.

`

/** The section that the agent adds, with the address of its link. */
const explained = (link: string) =>
  changed(
    GUIDE,
    `${PLACE}+## Retries
+
+Set \`retry\` to repeat requests that fail:
+
+| Option | Default | Meaning |
+| --- | --- | --- |
+| \`limit\` | \`2\` | How often a request is repeated |
+| \`backoff\` | \`1000\` | Milliseconds before the first retry |
+
+Only [safe requests](${link}) are repeated.
+
 ## Errors`,
  )

export const EXPLAINED: Change = {
  title: 'Document the retry option of fetchAll',
  body: 'Adds a section on `retry` to the guide on fetching.',
  files: [explained('/guides/safe-requests')],
}

/** The line that its check of links names. */
export const BROKEN_LINK = { path: GUIDE, line: 29, message: 'There is no page /guides/safe-requests.' }

/** The answer to that check. */
export const CORRECTED: Change = {
  files: [explained('/reference/methods#safe')],
  commit: [
    changed(
      GUIDE,
      `@@ -28,3 +28,3 @@ Set \`retry\` to repeat requests that fail:

-Only [safe requests](/guides/safe-requests) are repeated.
+Only [safe requests](/reference/methods#safe) are repeated.
 `,
    ),
  ],
}

const SHORT = changed(
  GUIDE,
  `${PLACE}+## Retries
+
+\`retry: { limit: 2, backoff: 1000 }\` repeats a failed request twice, the first time after a second.
+Only [safe requests](/reference/methods#safe) are repeated.
+
 ## Errors`,
)

export const SHORTENED: Change = {
  files: [SHORT],
  commit: [
    changed(
      GUIDE,
      `@@ -22,8 +22,2 @@ ## Retries
-Set \`retry\` to repeat requests that fail:
-
-| Option | Default | Meaning |
-| --- | --- | --- |
-| \`limit\` | \`2\` | How often a request is repeated |
-| \`backoff\` | \`1000\` | Milliseconds before the first retry |
-
+\`retry: { limit: 2, backoff: 1000 }\` repeats a failed request twice, the first time after a second.
 Only [safe requests](/reference/methods#safe) are repeated.`,
    ),
  ],
}
