import type { Core, Deps } from '../base/deps.ts'
import { BadInput } from '../base/errors.ts'
import { codeSpan, count } from '../base/text.ts'
import type { Runner } from '../event/trigger.ts'
import { describePeriod, readPeriod } from '../inputs/period.ts'
import { type GetInput, list, numberIn, readAccess, readTimeoutMs } from '../inputs/readers.ts'
import { readOutputFile } from '../inputs/workspace-file.ts'
import { type AnalyticsClient, type AnalyticsStep, type Outputs, runAnalytics } from './analytics.ts'
import { byPage, type Finding, findingsOf, KINDS, type Kind } from './finding.ts'
import {
  fileText,
  INSIGHTS_FORMATS,
  type Insights,
  insightsSummary,
  type KindReport,
} from './insights-report.ts'
import { basePathOf, withoutBase } from './page-path.ts'
import { cursorRows, type ReaderEntry, SOURCES } from './sources.ts'

type InsightsInputs = ReturnType<typeof readInsightsInputs>

export function readInsightsInputs(input: GetInput, now: number) {
  const minCount = { min: 1, max: 1_000_000, whole: true, unit: 'hits' }
  return {
    access: readAccess(input),
    period: readPeriod(input, now, 'last-week'),
    ...readOutputFile(input, 'insights.md', INSIGHTS_FORMATS),
    timeoutMs: readTimeoutMs(input, 0.01, 10),
    /** In the order of `KINDS`. */
    include: readKinds(input),
    /** Searches with fewer hits are left out. */
    minCount: numberIn(input, 'min-count', minCount, 2),
    top: numberIn(input, 'top', { min: 1, max: 250, whole: true, unit: 'findings' }, 20),
  }
}

function readKinds(input: GetInput): readonly Kind[] {
  if (input('include') === '') return KINDS
  const words = list(input, 'include').map((word) => word.toLowerCase())
  const remedy = `Write one or more of ${KINDS.map((kind) => codeSpan(kind)).join(', ')}, separated by commas.`
  if (words.length === 0) throw new BadInput('include', 'names no kind', remedy)
  const unknown = words.find((word) => !KINDS.some((kind) => kind === word))
  if (unknown !== undefined) throw new BadInput('include', `holds ${codeSpan(unknown, 60)}`, remedy)
  return KINDS.filter((kind) => words.includes(kind))
}

const allOf = ({ kinds }: Insights): readonly Finding[] => kinds.flatMap(({ findings }) => findings)

export const INSIGHTS_OUTPUTS = {
  file: ({ file }) => file,
  findings: (report) => String(allOf(report).length),
  pages: (report) =>
    byPage(allOf(report))
      .filter(({ page }) => page !== '')
      .toSorted((a, b) => b.findings.length - a.findings.length)
      .map(({ page }) => page)
      .join('\n'),
  requests: ({ requests }) => String(requests),
  complete: () => 'true',
} as const satisfies Outputs<Insights>

const STEP: AnalyticsStep<InsightsInputs, Insights> = {
  outputs: INSIGHTS_OUTPUTS,
  nothing: 'No insights were collected',
  remedy: 'choose a shorter period',
  readInputs: readInsightsInputs,
  title: ({ access, period, include }) =>
    `insights of ${access.projectId} from ${describePeriod(period)}: ${include.join(', ')}`,
  read: collectInsights,
  text: ({ format, period }, found) => fileText(format, allOf(found), period),
  written: (report) => `${count(allOf(report).length, 'finding')} in ${report.file}`,
  moreFiles: () => [],
  notes: () => [],
  warning: () => '',
  summary: insightsSummary,
}

export const insights = (deps: Deps, readRunner: () => Promise<Runner>): Promise<void> =>
  runAnalytics(deps, readRunner, STEP)

/** One kind after another, because all of them share one limit of requests. */
async function collectInsights(
  inputs: InsightsInputs,
  client: AnalyticsClient,
  _runner: Runner,
  core: Core,
): Promise<Insights> {
  const read: (KindRows & { readonly kind: Kind })[] = []
  for (const kind of inputs.include) read.push({ kind, ...(await readKind(kind, inputs, client)) })
  const base = basePathOfEntries(read.flatMap(({ entries }) => entries))
  const kinds = read.map(({ kind, entries, rows }): KindReport => {
    const found = findingsOf(entries.map((entry) => findingOf(entry, base)))
    core.info(`  ${kind}: ${count(found.length, 'finding')} in ${count(rows, 'row')}`)
    return { kind, rows, found: found.length, findings: found.slice(0, inputs.top) }
  })
  return { kinds }
}

/** URLs of a site that lies under a path have it, and the service's paths do not. */
function basePathOfEntries(entries: readonly ReaderEntry[]): string {
  const paths = new Set(entries.filter((entry) => !entry.isUrl).map(({ page }) => page))
  const urls = new Set(entries.filter((entry) => entry.isUrl).map(({ page }) => page))
  return basePathOf(urls, paths)
}

function findingOf({ isUrl, ...finding }: ReaderEntry, base: string): Finding {
  if (base === '') return finding
  const sources = finding.sources?.map((page) => withoutBase(page, base))
  return { ...finding, sources, page: isUrl ? withoutBase(finding.page, base) : finding.page }
}

interface KindRows {
  readonly entries: readonly ReaderEntry[]
  /** How many were read. */
  readonly rows: number
}

async function readKind(
  kind: Kind,
  { period, minCount }: InsightsInputs,
  client: AnalyticsClient,
): Promise<KindRows> {
  const { entry, id, hits, ...source } = SOURCES[kind]
  const entries: ReaderEntry[] = []
  const seen = new Set<string>()
  for await (const page of cursorRows(client, kind, source, period)) {
    for (const row of page) {
      // The service sorts by hits, so all that follow are rarer.
      if (hits !== undefined && (hits(row) ?? 0) < minCount) return { entries, rows: seen.size }
      // Rows shift while they are read, and then one comes twice.
      const known = id(row) || `row ${seen.size}`
      if (seen.has(known)) continue
      seen.add(known)
      const found = entry(row)
      if (found !== undefined) entries.push(found)
    }
  }
  return { entries, rows: seen.size }
}
