import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { bodyOf, changesEarlier, mainOf, type Request, requestOf, takenUp } from '../history.ts'
import type { Call } from '../life.ts'
import { unsignedRecordIn } from '../records.ts'
import type { Rule } from './rule.ts'

/** A comment of the action notifies who asked, or who was refused, and nobody of what a push alone has caused. */
export const nobodyElseMentioned: Rule = {
  name: 'nobody-else-mentioned',
  clause: '5.4',
  afterLife(history, life) {
    const request = requestOf(history, life)
    const main = mainOf(history, life)
    const isTakenUp = request && main && takenUp(history, request, main) !== undefined
    return life.calls.flatMap((call) => {
      const body = bodyOf(call)
      const isEarlier = request && (changesEarlier(request, call) || isTakenUp)
      const may = [
        ...(request === undefined || isEarlier === true
          ? [askerIn(body)]
          : wasCutShort(request, body)
            ? []
            : addressees(request)),
        ...(isTrackingIssue(call) ? history.requests.flatMap(subscribers) : []),
      ]
      return [
        ...mentions(body)
          .filter((login) => !may.includes(login))
          .map((login) => `${life.name} mentions ${login}: ${call.method} ${call.path}`),
        ...(/^\s*\/docs\b/i.test(body) ? [`${life.name} wrote a command: ${call.method} ${call.path}`] : []),
      ]
    })
  },
}

/** The person who asked and the one who is refused; no person on a schedule. */
const addressees = ({ ask, event }: Request): readonly string[] =>
  event.name === 'schedule' ? [] : [ask.sender, ...event.accounts]

/** A push ends the run of the one before it: no person caused that by a command (3.13). */
const wasCutShort = ({ event }: Request, body: string): boolean =>
  event.name === 'pull_request' && /run was cancelled/.test(body)

/** A tracking issue keeps the mentions of the request that opened it (3.9). */
const isTrackingIssue = ({ method, path }: Call): boolean =>
  /^\/repos\/[^/]+\/[^/]+\/issues(\/\d+)?$/.test(path) && /^(POST|PATCH)$/.test(method)

/** The body of a tracking issue notifies the person who asked, or without one the reviewers. */
function subscribers({ event, ask, inputs }: Request): readonly string[] {
  if (inputs['issue-title'] === undefined) return []
  if (event.name !== 'schedule' && !ask.sender.endsWith('[bot]')) return [ask.sender]
  return (inputs.reviewers ?? '').split(/[,\s]+/).filter((name) => name !== '' && name !== 'requester')
}

/** A sweep reports for the person that the record names. */
const askerIn = (body: string): string => unsignedRecordIn(body)?.requestedBy ?? ''

interface Node {
  readonly type: string
  readonly value?: string
  readonly children?: readonly Node[]
}

const parser = unified().use(remarkParse).use(remarkGfm)
const known = new Map<string, readonly string[]>()

/** The accounts that GitHub notifies: a login behind an @ in text that is neither code nor part of a link. */
function mentions(body: string): readonly string[] {
  const before = known.get(body)
  if (before !== undefined) return before
  const found = textsOf(parser.parse(body) as Node).flatMap((text) =>
    Array.from(text.matchAll(/(?<![\w`@/.-])@([a-z\d][a-z\d-]*(?:\/[\w-]+)?)/gi), ([, login = '']) => login),
  )
  if (known.size > 5000) known.clear()
  known.set(body, found)
  return found
}

const SILENT: ReadonlySet<string> = new Set(['code', 'inlineCode', 'html', 'link', 'linkReference'])

function textsOf(node: Node): string[] {
  if (SILENT.has(node.type)) return []
  if (node.type === 'text') return [node.value ?? '']
  return (node.children ?? []).flatMap(textsOf)
}
