import { fullName } from '../event/run-context.ts'
import type { Annotation, CheckRun, CommitStatus } from '../github/parse-checks.ts'
import { withoutInvisible } from '../invisible.ts'
import type { PullRequestRef } from '../link.ts'
import { describeReferences, fencedReference } from '../prompt/material.ts'
import { renderedMarkdown } from '../prompt/rendered-text.ts'
import { oneLine } from '../text.ts'
import type { Session } from '../thread/session.ts'

/** What fails of a commit. */
export interface Failures {
  readonly pull: PullRequestRef
  readonly runs: readonly CheckRun[]
  readonly statuses: readonly CommitStatus[]
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
  const { pull, runs, statuses, previewLog } = failures
  const what = [
    runs.length + statuses.length > 0 && 'Checks of your pull request {pull} fail.',
    previewLog !== undefined && 'The preview of your pull request {pull} does not build.',
  ].filter((line) => line !== false)
  const asked = [...what, REQUEST].join(' ').replaceAll('{pull}', `${fullName(pull)}#${pull.number}`)
  const annotations = await readAnnotations(session, pull, runs)
  const described = await Promise.all(
    runs.map(async (run, at) => {
      const { name, conclusion, title, summary } = run
      const isDescribed = at < MOST_DESCRIBED
      const said = isDescribed ? await renderedMarkdown(session, summary.slice(0, BUDGET)) : ''
      return section('Check', name, conclusion, [title, said, ...(annotations.get(run) ?? [])])
    }),
  )
  const stated = statuses.map(({ context, state, description }) =>
    section('Status', context, state, [description]),
  )
  const preview = previewLog === undefined ? [] : [section('Preview', 'preview', 'failure', previewLog)]
  const reference = describeReferences([...described, ...stated, ...preview], BUDGET)
  return `${asked}\n\n${fencedReference(reference, session.deps.random)}`
}

const REQUEST =
  'Fix what fails, in that pull request, and change nothing else. What the checks say follows as reference material.'

function section(kind: string, name: string, result: string, said: readonly string[]) {
  const text = withoutInvisible(said.filter(Boolean).join('\n')).trim()
  const heading = `${kind}: ${withoutInvisible(oneLine(name, 200))} (${oneLine(result, 40)})`
  return { heading, text, goesOn: false }
}

const READ_ANNOTATIONS = {
  doing: 'read the annotations of a check',
  permission: 'checks: read',
  consequence: '',
}

/** What the checks say of lines of files, as far as the limit goes. */
async function readAnnotations(
  { forge, warnings }: Session,
  pull: PullRequestRef,
  runs: readonly CheckRun[],
): Promise<ReadonlyMap<CheckRun, readonly string[]>> {
  const lines = new Map<CheckRun, readonly string[]>()
  let room = MOST_ANNOTATIONS
  for (const run of runs) {
    if (run.annotations === 0 || room === 0) continue
    const read = await warnings.warnOnFailure(READ_ANNOTATIONS, () => forge.annotations(pull, run.id, room))
    const shown = read?.slice(0, room) ?? []
    room -= shown.length
    lines.set(run, read === undefined ? ['[Its annotations could not be read.]'] : shown.map(describe))
  }
  return lines
}

function describe({ path, startLine, level, title, message }: Annotation): string {
  const text = [title, message].filter(Boolean).join(': ')
  return `${path}:${startLine} ${level}: ${text}`
}
