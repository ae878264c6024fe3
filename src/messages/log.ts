import { count, grouped } from '../text.ts'
import { VERSION } from '../version.ts'

/** The log's first line: the event, the person, and the thread. */
export function logHeader(trigger: {
  readonly event: string
  readonly isComment: boolean
  readonly requestedBy: string
  readonly where: string
}): string {
  const { event, isComment, requestedBy, where } = trigger
  const by = requestedBy === '' ? '' : ` by ${requestedBy}`
  return `Docs agent ${VERSION} · ${isComment ? 'comment command' : event}${by} on ${where}`
}

/** `Prompt: 1,284 characters (38 instruction, 1,246 context)` */
export function logPrompt(request: string, prompt: string): string {
  const rest = prompt.length - request.length
  const parts = rest > 0 ? ` (${grouped(request.length)} instruction, ${grouped(rest)} context)` : ''
  return `Prompt: ${count(prompt.length, 'character')}${parts}`
}
