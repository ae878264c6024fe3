import { readAnalyticsInputs, TOP } from '../analytics/inputs.ts'
import { type AnalyticsAction, type AnalyticsRun, analyticsStep } from '../analytics/run.ts'
import { BadInput } from '../errors.ts'
import { type GetInput, list, numberIn } from '../input-readers.ts'
import { describePeriod } from '../period.ts'
import { code, count } from '../text.ts'
import { byPage, KINDS, type Kind } from './finding.ts'
import { readKind } from './read.ts'
import { FORMATS, fileText, findingsOf, type Insights, type KindReport, summaryOf } from './report.ts'

type InsightsInputs = Readonly<ReturnType<typeof readInsightsInputs>>

/** The inputs of `insights`, checked and typed (contract 9); see `readAnalyticsInputs`. */
export function readInsightsInputs(input: GetInput, now: number) {
  const minCount = { min: 1, max: 1_000_000, whole: true, unit: 'hits' }
  return {
    ...readAnalyticsInputs(input, now, { period: 'last-week', file: 'insights.md', formats: FORMATS }),
    include: readKinds(input),
    /** Searches with fewer hits are left out. */
    minCount: numberIn(input, 'min-count', minCount, 2),
    /** Findings of each kind. */
    top: numberIn(input, 'top', { ...TOP, unit: 'findings' }, 20),
  }
}

/** @returns the kinds in the order of `KINDS`, each once */
function readKinds(input: GetInput): readonly Kind[] {
  if (input('include') === '') return KINDS
  const words = list(input, 'include').map((word) => word.toLowerCase())
  if (words.length === 0) throw new BadInput('include', 'names no kind', REMEDY)
  const unknown = words.find((word) => !KINDS.some((kind) => kind === word))
  if (unknown !== undefined) throw new BadInput('include', `holds ${code(unknown, 60)}`, REMEDY)
  return KINDS.filter((kind) => words.includes(kind))
}

const REMEDY = `Write one or more of ${KINDS.map((kind) => code(kind)).join(', ')}, separated by commas.`

/** The outputs of `insights`, in the order of its action.yml (contract 9). */
export const OUTPUTS = {
  file: ({ file }) => file,
  findings: (report) => String(findingsOf(report).length),
  pages: (report) =>
    byPage(findingsOf(report))
      .filter(({ page }) => page !== '')
      .toSorted((a, b) => b.findings.length - a.findings.length)
      .map(({ page }) => page)
      .join('\n'),
  requests: ({ requests }) => String(requests),
  complete: () => 'true',
} as const satisfies AnalyticsAction<InsightsInputs, Insights>['outputs']

export const insights = analyticsStep<InsightsInputs, Insights>({
  outputs: OUTPUTS,
  nothing: 'No insights were collected',
  remedy: 'choose a shorter period',
  readInputs: readInsightsInputs,
  title: ({ access, period, include }) =>
    `insights of ${access.projectId} from ${describePeriod(period)}: ${include.join(', ')}`,
  read: collectInsights,
  messages: (report) => ({
    written: `${count(findingsOf(report).length, 'finding')} in ${report.file}`,
    summary: summaryOf(report),
  }),
})

/** One kind after another, because all of them share one limit of requests. */
async function collectInsights(run: AnalyticsRun<InsightsInputs>): Promise<Insights> {
  const { core, client, inputs, write } = run
  const kinds: KindReport[] = []
  for (const kind of inputs.include) {
    const { findings, rows } = await readKind(client, kind, inputs.period, inputs.minCount)
    core.info(`  ${kind}: ${count(findings.size, 'finding')} in ${count(rows, 'row')}`)
    kinds.push({ kind, rows, found: findings.size, findings: findings.ranked().slice(0, inputs.top) })
  }
  await write(fileText(inputs.format, findingsOf({ kinds }), inputs.period))
  return { kinds }
}
