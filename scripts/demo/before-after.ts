import { styleText } from 'node:util'
import type { ChangedFile } from '../../emulator/github/model.ts'
import { runAction } from '../../emulator/runner.ts'
import { emulateInProcess } from '../../test/helpers/step-in-process.ts'
import { earlierRule } from '../bench/material/rules.ts'
import { ACTIONS, access } from './actions.ts'
import { changed, LIMIT, RETRY } from './changes.ts'
import { heading, say } from './screen.ts'
import { Unexpected } from './story.ts'

const TITLE = 'Add a retry option to fetchAll'
const BODY = 'So that a request which fails is repeated.'

/** It sorts before the code. */
const LOCK = changed(
  'package-lock.json',
  `@@ -1,0 +1,500 @@\n${Array.from({ length: 500 }, (_, at) => `+    "node_modules/dependency-${at}": { "version": "1.0.${at}" },`).join('\n')}`,
)
const FILES: readonly ChangedFile[] = [LOCK, LIMIT, RETRY]

/** What the docs agent gets of one pull request, by a plain cut and by the digest. @throws {Unexpected} */
export async function showPrompts(): Promise<void> {
  const before = cutPrompt()
  const sent = await sentPrompt()
  const after = partsOf(sent)
  const hasCode = (text: string) => [LIMIT, RETRY].every(({ patch = '' }) => text.includes(lastLine(patch)))
  if (hasCode(before) || !hasCode(after)) throw new Unexpected('the prompts differ from what they must be')
  heading('One prompt, before and after')
  say(
    `alice adds an option. The lock file of her pull request has ${LOCK.patch?.length.toLocaleString('en-GB')} characters, and sorts first.`,
  )
  show('A plain cut at 20,000 characters sends', before)
  show('The digest sends', after)
  say(`\n  And it says: ${/By name alone[^\n]*/.exec(sent)?.[0]}`)
}

const lastLine = (text: string): string => text.split('\n').at(-1) ?? ''

function cutPrompt(): string {
  const code = FILES.map(({ filename, additions = 0, deletions = 0, patch = '' }) => ({
    ...{ path: filename, earlierPath: '', sha: '', status: 'modified', additions, deletions, patch },
  }))
  return earlierRule.one({ title: TITLE, description: BODY, code, pages: [] })
}

/** As the emulated service receives it from the action. */
async function sentPrompt(): Promise<string> {
  const { emulator, launch } = emulateInProcess({ docsRepository: 'octo/app' })
  emulator.github.setPermission('alice', 'write')
  const { number } = emulator.github.addPullRequest({
    number: 1,
    title: TITLE,
    body: BODY,
    user: 'alice',
    files: [...FILES],
  })
  const { shown } = emulator
  const sender = shown.user('alice')
  const payload = {
    action: 'opened',
    pull_request: shown.pull(number),
    repository: shown.repository(),
    sender,
  }
  const inputs = { ...access(emulator), prompt: 'Update the documentation for this pull request.' }
  const event = { name: 'pull_request', payload }
  await runAction({ action: ACTIONS.root, emulator, event, inputs, launch })
  const sent = emulator.requests.find(({ host, method }) => host === 'service' && method === 'POST')
  return String((sent?.body as { readonly prompt?: unknown } | undefined)?.prompt)
}

/** Without the request, and without the lines that say whose words the parts are. */
const partsOf = (prompt: string): string =>
  prompt
    .slice(prompt.indexOf('=== begin'))
    .replace(/^=== (?:begin|end) \w+\n?/gm, '')
    .trim()

const SHOWN = 15

function show(title: string, text: string): void {
  const lines = text.split('\n').filter(Boolean)
  const more = lines.length - SHOWN
  say(`\n  ${styleText('bold', title)}`)
  for (const line of lines.slice(0, SHOWN)) say(`${styleText('dim', '  │')} ${line.slice(0, 90)}`)
  if (more > 0) say(`${styleText('dim', '  │')} … ${more} more lines such as the last one`)
}
