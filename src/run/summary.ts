import type { Ending } from '../core/ending.ts'
import { code, duration } from '../core/text.ts'
import { foldedPrompt } from '../thread/bodies.ts'
import { link, type Setting, tell } from '../thread/words.ts'

/** The step summary: the outcome with its link, what to do, the facts in a table, and the prompt folded. */
export function summaryOf(ending: Ending, setting: Setting): string {
  const { sign, said, next } = tell(ending, setting)
  const { job } = ending
  const facts: readonly (readonly [string, string])[] = [
    ['Pull request', job?.prLink ? link(job.prLink) : ''],
    ['Job', code(job?.id ?? '')],
    ['Model', code(job?.model ?? '')],
    ['Repository', code(job?.repository ?? '')],
    ['Ref', code(job?.ref ?? '')],
    ['Duration', duration(ending.durationMs)],
    ['Requested by', ending.asker === '' ? '' : code(ending.asker)],
  ]
  const rows = facts.filter(([, value]) => value !== '').map(([name, value]) => `| ${name} | ${value} |`)
  const table = ['| | |', '| --- | --- |', ...rows].join('\n')
  const prompt = foldedPrompt(ending.prompt)
  return `${[`## ${sign} ${heading(said)}`, next, table, prompt].filter(Boolean).join('\n\n').trimEnd()}\n`
}

/** Code makes a heading noisy; around what is more than a word it stays, since that could mean something there. */
const heading = (said: string): string => said.replace(/`([\w-]+)`/g, '$1')
