import { fullName } from '../event/run-context.ts'
import type { Annotation } from '../github/parse-checks.ts'
import { withoutInvisible } from '../invisible.ts'
import type { PullRequestRef } from '../link.ts'
import { annotationsTask } from '../messages/side-tasks.ts'
import { describeReferences, fencedReference } from '../prompt/material.ts'
import { renderedMarkdown } from '../prompt/rendered-text.ts'
import { oneLine } from '../text.ts'
import type { Session } from '../thread/session.ts'
import type { ReadCheck } from './read-checks.ts'

/** What fails of a commit. */
export interface Failures {
  readonly pull: PullRequestRef
  readonly sha: string
  /** To the pull request. */
  readonly link: string
  readonly checks: readonly ReadCheck[]
  /** The end of the log of a preview that does not build; undefined where there is none. */
  readonly previewLog: readonly string[] | undefined
}

/** Characters of all that checks say (contract 4.12). */
const BUDGET = 20_000
const MOST_ANNOTATIONS = 50
/** More checks than this share too little room to say anything, so that the others are only named. */
const MOST_DESCRIBED = 20

/** The message to the job: what fails, and in the fence what the checks say, which anything may have written. */
export async function fixMessage(session: Session, failures: Failures): Promise<string> {
  const { pull, link, checks, previewLog } = failures
  const pullName = `${fullName(pull)}#${pull.number} (${link})`
  const asked = [
    checks.length > 0 && `Checks of your pull request ${pullName} fail.`,
    previewLog !== undefined && `The preview of your pull request ${pullName} does not build.`,
    'Fix what fails, in that pull request, and change nothing else. What the checks say follows as reference material.',
  ]
  const annotations = await readAnnotations(session, pull, checks)
  const sections = await Promise.all(
    checks.map(async (check, at) => {
      const { kind, name, conclusion, said, run } = check
      const summary = at < MOST_DESCRIBED ? (run?.summary.slice(0, BUDGET) ?? '') : ''
      const rendered = await renderedMarkdown(session, summary)
      return section(kind, name, conclusion, [said, rendered, ...(annotations.get(check) ?? [])])
    }),
  )
  if (previewLog !== undefined) sections.push(section('Preview', 'preview', 'failure', previewLog))
  const reference = fencedReference(describeReferences(sections, BUDGET), session.deps.random)
  return `${asked.filter((line) => line !== false).join(' ')}\n\n${reference}`
}

function section(kind: string, name: string, result: string, said: readonly string[]) {
  const text = withoutInvisible(said.filter(Boolean).join('\n')).trim()
  const heading = `${kind}: ${withoutInvisible(oneLine(name, 200))} (${oneLine(result, 40)})`
  return { heading, text, goesOn: false }
}

/** What the checks say of lines of files, as far as the limit goes. */
async function readAnnotations(
  { forge, warnings }: Session,
  pull: PullRequestRef,
  checks: readonly ReadCheck[],
): Promise<ReadonlyMap<ReadCheck, readonly string[]>> {
  const lines = new Map<ReadCheck, readonly string[]>()
  let room = MOST_ANNOTATIONS
  for (const check of checks) {
    const { run } = check
    if (run === undefined || run.annotations === 0 || room === 0) continue
    const read = await warnings.warnOnFailure(annotationsTask, () => forge.annotations(pull, run.id, room))
    const shown = read?.slice(0, room) ?? []
    room -= shown.length
    lines.set(check, read === undefined ? ['[Its annotations could not be read.]'] : shown.map(describe))
  }
  return lines
}

function describe({ path, startLine, level, title, message }: Annotation): string {
  const text = [title, message].filter(Boolean).join(': ')
  return `${path}:${startLine} ${level}: ${text}`
}
