import { byPage } from './finding.ts'
import type { Report } from './summary.ts'

/** The outputs of `insights`, in the order of its action.yml (contract 9). `result` holds all others as JSON. */
export const OUTPUTS = ['file', 'findings', 'pages', 'requests', 'complete'] as const

export type Outputs = Readonly<Record<Exclude<(typeof OUTPUTS)[number], 'requests'>, string>>

export function outputsOf({ file, kinds }: Report): Outputs {
  const findings = kinds.flatMap((each) => each.findings)
  const pages = byPage(findings)
    .filter(({ page }) => page !== '')
    .toSorted((a, b) => b.findings.length - a.findings.length)
  return {
    file,
    findings: String(findings.length),
    pages: pages.map(({ page }) => page).join('\n'),
    complete: 'true',
  }
}
