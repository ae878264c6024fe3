import { type AnalyticsAction, type AnalyticsRun, runAnalytics } from '../analytics/run.ts'
import type { Deps } from '../deps.ts'
import { describePeriod } from '../period.ts'
import type { RunContext } from '../run-context.ts'
import { count, duration } from '../text.ts'
import { writeOutputFile } from '../workspace-file.ts'
import { fileText } from './file.ts'
import { byPage } from './finding.ts'
import { type InsightsInputs, readInsightsInputs } from './inputs.ts'
import { readKind } from './read.ts'
import { type KindReport, type Report, summaryOf } from './summary.ts'

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

const INSIGHTS: AnalyticsAction<InsightsInputs> = {
  outputs: OUTPUTS,
  nothing: 'No insights were collected',
  remedy: 'choose a shorter period',
  readInputs: readInsightsInputs,
  title: ({ access, period, include }) =>
    `insights of ${access.projectId} from ${describePeriod(period)}: ${include.join(', ')}`,
  async work(run) {
    const report = await collectInsights(run)
    return { outputs: outputsOf(report), logLine: logLine(report), warning: '', summary: summaryOf(report) }
  },
}

/** One run of `insights` (contract 9). */
export function insights(deps: Deps, readContext: () => Promise<RunContext>): Promise<void> {
  return runAnalytics(deps, readContext, INSIGHTS)
}

/** One kind after another, because all of them share one limit of requests. */
function collectInsights(run: AnalyticsRun<InsightsInputs>): Promise<Report> {
  const { deps, client, inputs, workspace, startedAt } = run
  const { period } = inputs
  return writeOutputFile(workspace, inputs.file, async (output) => {
    const kinds: KindReport[] = []
    for (const kind of inputs.include) {
      const { findings, rows } = await readKind(client, inputs, kind)
      deps.core.info(`  ${kind}: ${count(findings.size, 'finding')} in ${count(rows, 'row')}`)
      kinds.push({ kind, rows, found: findings.size, findings: findings.ranked().slice(0, inputs.top) })
    }
    const findings = kinds.flatMap((each) => each.findings)
    await output.write(fileText(inputs.format, findings, period))
    const durationMs = deps.monotonic() - startedAt
    return { period, file: output.name, kinds, requests: client.requests(), durationMs }
  })
}

function logLine({ kinds, file, requests, durationMs }: Report): string {
  const findings = kinds.reduce((sum, each) => sum + each.findings.length, 0)
  return `${count(findings, 'finding')} in ${file}: ${count(requests, 'request')}, ${duration(durationMs)}`
}
