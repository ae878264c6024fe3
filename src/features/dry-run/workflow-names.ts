import { asArray, asObject, asString, isObject } from '../../base/json.ts'
import { codeSpan, listedCode } from '../../base/text.ts'
import { parseYaml } from '../../base/yaml.ts'
import type { GitHub } from '../../github/github.ts'
import type { SetupResult } from './setup-table.ts'

/** The action that a workflow calls, whoever owns it. */
const COLLECTS = /\/collect@/
/** Workflows that GitHub runs without a file: https://docs.github.com/pages, code scanning, Dependabot. */
const WITHOUT_FILE = ['pages-build-deployment', 'CodeQL', 'Dependabot Updates']
/** GitHub matches a pattern against names, which only GitHub can do. */
const isPattern = (name: string): boolean => /[*?+[\]!]/.test(name)

interface Workflow {
  /** Undefined where the file is none that can be read here: GitHub may read more. */
  readonly name: string | undefined
  readonly path: string
  /** The workflows whose end starts it. */
  readonly wakers: readonly string[]
  readonly collects: boolean
}

/**
 * Whether each workflow exists whose end is to wake `collect`: GitHub takes a name that no workflow has without a word.
 * @returns undefined where none is to @throws {GitHubError} where the token may not read workflows
 */
export async function tryWorkflowNames(github: GitHub): Promise<SetupResult | undefined> {
  const files = await github.workflowFiles()
  const workflows = await Promise.all(files.map(workflowIn))
  const woken = workflows.filter(({ collects, wakers }) => collects && wakers.length > 0)
  if (woken.length === 0) return undefined
  const names = new Set(workflows.flatMap(({ name }) => name ?? []))
  const unread = workflows.filter(({ name }) => name === undefined).map(({ path }) => path)
  const isKnown = (name: string) => isPattern(name) || names.has(name) || WITHOUT_FILE.includes(name)
  for (const { path, wakers } of woken) {
    const missing = wakers.filter((name) => !isKnown(name))
    if (missing.length > 0 && unread.length > 0) return { why: mayBeNamed(missing, unread) }
    if (missing.length > 0) return { fault: noSuchWorkflow(path, missing, [...names]) }
  }
  return 'works'
}

async function workflowIn({
  path,
  text,
}: {
  readonly path: string
  readonly text: string
}): Promise<Workflow> {
  const read = await parseYaml(text)
  const file = asObject(read)
  const { workflows } = asObject(asObject(file.on).workflow_run)
  const wakers = typeof workflows === 'string' ? [workflows] : asArray(workflows).map(asString)
  const steps = Object.values(asObject(file.jobs)).flatMap((job) => asArray(asObject(job).steps))
  const collects = steps.some((step) => COLLECTS.test(asString(asObject(step).uses)))
  const name = isObject(read) ? asString(file.name) || path : undefined
  return { name, path, wakers: wakers.filter(Boolean), collects }
}

/** Names that a message lists. */
const MOST_NAMED = 10

const mayBeNamed = (missing: readonly string[], unread: readonly string[]): string =>
  `No workflow that the action can read is named ${listedCode(missing)}. It cannot read ${listedCode(unread.slice(0, MOST_NAMED))}.`

const noSuchWorkflow = (path: string, missing: readonly string[], names: readonly string[]): string =>
  `No workflow is named ${listedCode(missing)}, so its end starts no sweep. Write one of these names below \`workflow_run\` in ${codeSpan(path)}: ${listedCode(names.slice(0, MOST_NAMED))}.`
