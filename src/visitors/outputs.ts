import { cut } from '../core/text.ts'
import type { Runner } from '../runner/runner.ts'
import { isoDate } from './period.ts'
import type { Report } from './report.ts'

/** The outputs of `visitors`, in the order of its action.yml (contract 7). `result` holds all others as JSON. */
export const OUTPUTS = [
  'file',
  'rows',
  'human',
  'ai',
  'total',
  'date-from',
  'date-to',
  'top-pages',
  'top-paths',
  'requests',
  'complete',
] as const
type Values = Readonly<Partial<Record<(typeof OUTPUTS)[number], string>>>

/** Without a report nothing was written; what is not known stays empty. */
export function writeOutputs(runner: Pick<Runner, 'output'>, requests: number, report?: Report): void {
  const values: Values = {
    ...(report === undefined ? { complete: 'false' } : valuesOf(report)),
    requests: String(requests),
  }
  const all = OUTPUTS.map((name) => [name, values[name] ?? ''] as const)
  for (const [name, value] of all) runner.output(name, value)
  runner.output('result', JSON.stringify(Object.fromEntries(all)))
}

function valuesOf({ file, rows, totals, period, top, complete }: Report): Values {
  return {
    file,
    rows: String(rows),
    human: String(totals.human),
    ai: String(totals.ai),
    total: String(totals.total),
    'date-from': isoDate(period.from),
    'date-to': isoDate(period.to),
    'top-pages': JSON.stringify(top),
    'top-paths': [...new Set(top.map(({ path }) => promptPath(path)))].join('\n'),
    complete: String(complete),
  }
}

/**
 * A path for a prompt, on one line and as a URL would write it: what anonymous visitors ask for can hold line breaks,
 * sentences and hidden characters, which must not read as an instruction. Letters of any script stay readable.
 */
function promptPath(path: string): string {
  return cut(path, 500).replace(/[\s\p{C}"<>`]/gu, (char) => encodeURIComponent(char))
}
