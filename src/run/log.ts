import { VERSION } from '../core/version.ts'
import type { Session } from './session.ts'

/** The log's first line: what set the run off, for whom, and where. */
export function logHeader(
  log: (line: string) => void,
  { trigger, asker, environment, scope }: Session,
): void {
  const what = trigger.comment === undefined ? trigger.event : 'comment'
  const by = asker === '' ? '' : ` by ${asker}`
  const where = scope === undefined ? environment.repository : `${scope.repository}#${scope.thread}`
  log(`Docs agent ${VERSION} · ${what}${by} on ${where}`)
}
