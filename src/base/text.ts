import { inItsDirection } from './invisible.ts'

// Text from outside on its way into a log line, a Markdown page or a fence: in all of them it is data.

/** C0 and C1 controls, the line separators, and the characters that turn the direction of text around. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g

/** One printable line of at most `max` characters. */
export function oneLine(text: string, max = 300): string {
  return cut(inItsDirection(text).replace(CONTROLS, ' ').replace(/ {2,}/g, ' ').trim(), max)
}

/** At most `max` UTF-16 units, never half a character, with an ellipsis where something is missing. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, Math.max(0, max - 1)).replace(/[\ud800-\udbff]$/, '')}…`
}

/**
 * A line that the runner prints and does not obey. It takes a line that begins with `::`, also behind white
 * space, and `##[` anywhere in a line for a workflow command.
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function logLine(text: string): string {
  return text
    .replace(CONTROLS, ' ')
    .replace(/^(\s*):(?=:)/, '$1: ')
    .replaceAll('##[', '## [')
}

/** A Markdown code span in which the text can neither end the span, nor mention anyone, nor break the line. */
export function codeSpan(text: string, max = 300): string {
  const inner = oneLine(text, max).replaceAll('`', "'").replaceAll('|', '¦')
  return inner === '' ? '' : `\`${inner}\``
}

/** At least so many back-ticks, and more than any run of them in the text: it cannot end what they begin. */
export const ticksAround = (text: string, least: number): string =>
  '`'.repeat((text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length + 1), least))

/** A fenced block that the text cannot close. */
export function fence(text: string, info = 'text'): string {
  const ticks = ticksAround(text, 3)
  return `${ticks}${info}\n${text}\n${ticks}`
}

export type Columns = Readonly<Record<string, 'left' | 'right'>>

/** @param rows of cells that hold no bare `|` and no line break */
export function table(columns: Columns, rows: readonly (readonly string[])[]): string {
  const alignments = Object.values(columns).map((side) => (side === 'left' ? ':--' : '--:'))
  return [Object.keys(columns), alignments, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** `a, b and c`. @param type `disjunction`: `a, b or c` */
export const listed = (items: readonly string[], type: Intl.ListFormatType = 'conjunction'): string =>
  new Intl.ListFormat('en-GB', { type }).format(items)

/** The same of code spans. */
export const listedCode = (items: readonly string[], type?: Intl.ListFormatType): string =>
  listed(
    items.map((item) => codeSpan(item)),
    type,
  )

export const joined = (joint: string, ...parts: readonly string[]): string =>
  parts.filter(Boolean).join(joint)

/** A message without its last sentence, where that says to re-run the workflow: another step follows, or the run tries again itself. */
export const withoutRerun = (message: string): string =>
  message.replace(/ (Then re-run|Re-run) the workflow[^.`]*\.$/, '')

/** `4 min 12 s`, for sentences. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const [h, min, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const parts = [h > 0 ? `${h} h` : '', min > 0 ? `${min} min` : '', h === 0 && s > 0 ? `${s} s` : '']
  return joined(' ', ...parts) || '0 s'
}

/** `2026-11-09 06:17 UTC` */
export const minuteOf = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** `09:05 UTC`. @param time in ms since the epoch */
export const timeOfDay = (time: number): string => `${new Date(time).toISOString().slice(11, 16)} UTC`

/** `4:12`, for the log. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export const words = (text: string): readonly string[] => text.trim().split(/\s+/)

export const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')

/** `1,284 characters`, for whole numbers. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`
}

/** Our own inline Markdown without its marks, for places that show text as it is. What stands in code stays as it is. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(CODE_LINK, '$1 ($2)')
    .split('`')
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part
            .replace(LINK, (_, name: string, url: string) => `${name.replace(/\\(.)/g, '$1')} (${url})`)
            .replaceAll('**', ''),
    )
    .join('')

const CODE_LINK = /\[(`[^`]*`)\]\(([^)]*)\)/g
const LINK = /\[([^\]]*)\]\(([^)]*)\)/g
