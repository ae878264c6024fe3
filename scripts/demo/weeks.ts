import type { ChangedFile } from '../../emulator/github/model.ts'
import type { Change } from '../../emulator/service/turn.ts'
import { changed } from './changes.ts'

export interface Merge {
  readonly title: string
  readonly body: string
  readonly login: string
  readonly files: readonly ChangedFile[]
}

export interface Week {
  /** In the week before the refresh. */
  readonly merged: readonly Merge[]
  /** What the agent writes; missing when it is not asked. */
  readonly change?: Change
  readonly expected: Readonly<Record<string, string>>
}

const RETRIES = changed(
  'docs/guides/fetching.mdx',
  `@@ -18,3 +18,7 @@
 A request that takes longer than 30 seconds fails.

+## Retries
+
+\`retry: { limit: 2, backoff: 1000 }\` repeats a failed request twice. There are at most ten retries.
+
 ## Errors`,
)
const KEYS = changed(
  'docs/concepts/keys.mdx',
  `@@ -4 +4,2 @@
-Keys never expire.
+Keys expire after 90 days. To rotate a key without downtime, create the new one first: both work until the old
+one expires.`,
)
const PROXIES = changed(
  'docs/guides/proxies.mdx',
  `@@ -1 +1,2 @@
 The SDKs use the proxy that \`HTTPS_PROXY\` names.
+\`NO_PROXY\` lists the hosts that are reached without it.`,
)

/** A month of merges, and what the agent makes of them. */
export const WEEKS: readonly Week[] = [
  {
    merged: [
      {
        title: 'Add a retry option to fetchAll',
        body: '`fetchAll` takes `retry: { limit, backoff }`.',
        login: 'alice',
        files: [changed('src/fetch.ts', '+export interface Retry { limit: number; backoff: number }')],
      },
      {
        title: 'Limit retries to ten',
        body: 'More than ten retries are refused.',
        login: 'bob',
        files: [changed('src/fetch.ts', '+const MAX_RETRIES = 10')],
      },
    ],
    change: {
      title: 'Docs refresh: retries',
      body: 'Adds a section on retries to the guide on fetching.',
      files: [RETRIES],
    },
    expected: { outcome: 'pull-request', 'job-action': 'created' },
  },
  {
    merged: [
      {
        title: 'Let API keys expire',
        body: 'Keys expire after 90 days.',
        login: 'alice',
        files: [changed('src/keys.ts', '-const LIFETIME = Infinity\n+const LIFETIME = 90 * DAY')],
      },
    ],
    change: {
      title: 'Docs refresh: retries, keys',
      body: 'Adds a section on retries, and says when keys expire.',
      files: [RETRIES, KEYS],
    },
    expected: { outcome: 'pull-request', 'job-action': 'continued' },
  },
  { merged: [], expected: { outcome: 'skipped', reason: 'no-changes' } },
  {
    merged: [
      {
        title: 'Read NO_PROXY',
        body: 'Hosts in `NO_PROXY` are reached directly.',
        login: 'bob',
        files: [changed('src/proxy.ts', '+const direct = env.NO_PROXY')],
      },
      {
        title: 'Rename internal helpers',
        body: '',
        login: 'alice',
        files: [changed('src/internal.ts', '-const a = 1\n+const attempts = 1')],
      },
    ],
    change: {
      title: 'Docs refresh: retries, keys, proxies',
      body: 'Adds a section on retries, says when keys expire, and explains `NO_PROXY`.',
      files: [RETRIES, KEYS, PROXIES],
    },
    expected: { outcome: 'pull-request', 'job-action': 'continued' },
  },
]
