import { fullName } from '../base/link.ts'
import type { Runner, Trigger } from '../event/trigger.ts'
import { BUDGETS } from './budgets.ts'
import { PAST_BUDGET } from './context.ts'
import { cutPart, type Part, partOf } from './parts.ts'
import type { RenderDeps } from './rendered.ts'

/** As people copy it: a repository, a commit, a path and lines. Frameworks name folders `(group)`. */
const PERMALINK =
  /https?:\/(?:\/[^\s<>()"'`/]+){3}\/blob\/[\da-f]{40,64}\/(?:[^\s<>()"'`#]|\([^\s<>()"'`#]*\))+#L[\dCL-]+/gi

/**
 * The code of this repository that the request links to, from GitHub's rendering of its own comment: no address is read. The commit
 * in the link says what the lines are, whatever became of the comment since.
 */
export async function readLinkedCode(
  deps: RenderDeps & { readonly runner: Runner },
  { comment, subject }: Trigger,
  request: string,
): Promise<readonly Part[]> {
  const { github, warnings, runner } = deps
  const place = `${runner.serverUrl}/${fullName(runner.repository)}/blob/`.toLowerCase()
  const links = (request.match(PERMALINK) ?? [])
    .map((link) => link.toLowerCase())
    .filter((link) => link.startsWith(place))
  if (links.length === 0 || comment === undefined || subject === undefined) return []
  const { kind, id } = comment
  const html = await warnings.warnOnFailure(kind === 'issue' ? 'issue-text' : 'pull-text', () =>
    github.readComment({ kind, number: subject.number, id }),
  )
  if (html === undefined) return []
  const { linkedCodeIn } = await import(/* webpackMode: "eager" */ './html-to-text.ts')
  const code = linkedCodeIn(html).filter(({ href }) => links.includes(href.toLowerCase()))
  const sections = code.map(({ text }) => ({ heading: '', text }))
  return [cutPart(partOf({ kind: 'linked code' }, sections), BUDGETS.linkedCode, PAST_BUDGET)]
}
