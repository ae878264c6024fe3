import { withoutInvisible } from '../../base/invisible.ts'
import { masked } from '../../base/mask.ts'
import { redact } from '../../base/redact.ts'
import { cut } from '../../base/text.ts'

/** UTF-16 units from the end of a log that are looked at. */
const MOST_OF_LOG = 1_000_000
/** Lines of the failing step, from its end. */
const MOST_LINES = 2000
/** UTF-16 units of a line that are masked, so that no mask meets the end of what is shown, and that are shown. */
const LONGEST_LINE = { masked: 2000, shown: 500 }
/** Right above the error. */
const NEAR_LINES = 12

/** A line of the log without its time; `plain` is what a program wrote. */
interface LogLine {
  readonly kind: 'plain' | 'group' | 'endgroup' | 'error' | 'debug' | 'mark'
  readonly text: string
}

/** Each line begins so, and the first one with a byte order mark. */
const TIME = /^\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z ?/
/** https://github.com/actions/runner/blob/main/src/Runner.Worker/ActionCommandManager.cs */
const MARK = /^##\[([a-z-]{1,20})\](.*)$/s
/** Escape sequences of terminals (ECMA-48): of colours and the cursor, of titles and links, and the short ones. */
const SEQUENCES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?/g

/**
 * What the failing step of a job wrote, its last lines first in time: from the end of its own header, which holds its command and
 * its variables, to the last error of the log. A header never goes; where its end is not found, only what stands below the newest
 * group does.
 * @param log as GitHub stores it, or its end; hostile
 * @param secrets texts that become `***`
 * @returns lines without times, control sequences, hidden text and repetitions, with the error as the last; empty where the log
 * has no error, or nothing above it
 */
export function failedStep(log: string, secrets: readonly string[]): readonly string[] {
  const all = parseLog(log)
  const end = all.findLastIndex(({ kind }) => kind === 'error')
  const from = end < 0 ? undefined : startOfOutput(all.slice(0, end))
  if (from === undefined) return []
  const output = all.slice(from, end + 1).filter(({ kind }) => kind !== 'debug' && kind !== 'endgroup')
  const text = output.slice(-MOST_LINES).map(shown).join('\n')
  const clean = masked(redact(withoutInvisible(text), secrets)).split('\n')
  // Of a line that comes again, the one next to the error counts.
  const lines = [...new Set(clean.map((line) => cut(line.trimEnd(), LONGEST_LINE.shown)).reverse())].filter(
    Boolean,
  )
  return lines.length < 2 ? [] : lines.reverse()
}

function parseLog(log: string): readonly LogLine[] {
  const lines = log.slice(-MOST_OF_LOG).split('\n')
  // The first one of a cut log is half a line, which may be the rest of a variable.
  if (log.length > MOST_OF_LOG) lines.shift()
  return lines.map((line) => {
    const text = line.replace(TIME, '')
    const [, mark = '', rest = ''] = MARK.exec(text) ?? []
    if (mark === '') return { kind: 'plain', text }
    return { kind: isKind(mark) ? mark : 'mark', text: rest }
  })
}

const KINDS = ['group', 'endgroup', 'error', 'debug'] as const
const isKind = (mark: string): mark is (typeof KINDS)[number] => (KINDS as readonly string[]).includes(mark)

/** The group of a step's command, or one that a program calls so: neither goes. */
const isHeader = ({ kind, text }: LogLine): boolean => kind === 'group' && /^\s*Run\b/.test(text)

/** @returns the first line of what the step wrote; undefined where only a header is there */
function startOfOutput(above: readonly LogLine[]): number | undefined {
  const header = above.findLastIndex(isHeader)
  let isInGroup = false
  let start: number | undefined
  for (const [at, { kind }] of above.entries()) {
    if (at <= header) continue
    // A variable of several lines can hold such an end: the last one that ends no other group counts.
    if (kind === 'endgroup' && !isInGroup) start = at + 1
    if (kind === 'group') isInGroup = start !== undefined || header < 0
    if (kind === 'endgroup') isInGroup = false
  }
  if (start !== undefined && header >= 0) return start
  const group = above.findLastIndex(({ kind }) => kind === 'group')
  const newest = above[group]
  if (newest !== undefined && isHeader(newest)) return undefined
  return Math.max(group + 1, start ?? 0)
}

/** As a terminal shows it, in one line: what follows a carriage return overwrites what stands before it. */
function shown({ kind, text }: LogLine): string {
  const line = text.replace(/\r+$/, '').replace(SEQUENCES, '')
  const last = line.slice(line.lastIndexOf('\r') + 1).slice(0, LONGEST_LINE.masked)
  return kind === 'error' ? `error: ${last}` : last
}

/**
 * The lines that say most, in their order: those right above the error first, then those that name one of the files, then the
 * rest from the end backwards. `…` stands for what is left out.
 * @param budget in UTF-16 units
 * @param paths of files of the pull request
 */
export function excerptOf(lines: readonly string[], budget: number, paths: readonly string[]): string {
  const whole = lines.join('\n')
  if (whole.length <= budget) return whole
  // Programs name files from where they run.
  const names = [...new Set(paths.map((path) => path.split('/').slice(-2).join('/')))]
  const backwards = [...lines.keys()].reverse()
  const named = backwards.filter((at) => names.some((name) => lines[at]?.includes(name)))
  const chosen = new Set<number>()
  let left = budget - GAP
  for (const [nth, at] of [...backwards.slice(0, NEAR_LINES), ...named, ...backwards].entries()) {
    const cost = (lines[at]?.length ?? 0) + GAP
    const isOfRest = nth >= NEAR_LINES + named.length
    if (chosen.has(at)) continue
    if (cost <= left) left -= cost
    else if (isOfRest) break
    else continue
    chosen.add(at)
  }
  return lines
    .flatMap((line, at) => (chosen.has(at) ? [line] : at === 0 || chosen.has(at - 1) ? ['…'] : []))
    .join('\n')
}

/** Of a line end, and of the mark for what is left out below it. */
const GAP = 3
