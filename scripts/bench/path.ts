import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { runAction } from '../../emulator/runner.ts'
import { emulateInProcess } from '../../test/helpers/step-in-process.ts'
import { ACTIONS, access, comment } from '../demo/actions.ts'
import type { Report } from './table.ts'

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url))
/** What talks to the two services, and what reads and writes words: a reader takes these by their names. */
const TRUSTED =
  /^(http|github|agent|messages|words|inputs|event|analytics)\/|^(deps|process-deps|errors|index|invisible|json|link|redact|text)\.ts$/

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

interface Script {
  readonly url: string
  readonly functions: readonly { readonly functionName: string; readonly ranges: readonly Range[] }[]
}

/** Files and lines of the core and of features that `/docs explain it` runs without any optional input, by V8's coverage. */
export async function path(): Promise<Report> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  await defaultCommand()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const rows: Record<string, { readonly lines: number; readonly run: number }> = {}
  for (const script of result as readonly Script[]) {
    const file = script.url.startsWith('file:') ? relative(SOURCE, fileURLToPath(script.url)) : '..'
    if (file.startsWith('..') || TRUSTED.test(file)) continue
    const text = readFileSync(new URL(script.url), 'utf8')
    const run = linesRun(text, script)
    if (run > 0) rows[file] = { lines: text.split('\n').length - 1, run }
  }
  const figures = Object.values(rows)
  const sum = (what: 'lines' | 'run') => figures.reduce((total, row) => total + row[what], 0)
  return {
    title: 'The path of a default command',
    note: 'Files of which a function runs, their lines, and the lines that run; without what talks to the services, inputs, event and words.',
    rows: Object.fromEntries(Object.entries(rows).sort()),
    goals: [
      { what: 'files', value: figures.length, limit: 20 },
      { what: 'lines of these files', value: sum('lines'), limit: 2600 },
      { what: 'lines that run', value: sum('run'), limit: 1400 },
    ],
  }
}

async function defaultCommand(): Promise<void> {
  const { emulator, launch } = emulateInProcess({ docsRepository: 'octo/docs' })
  emulator.github.setPermission('alice', 'write')
  emulator.github.addIssue({ number: 12, title: 'Retries', user: 'carol', body: 'How do retries work?' })
  const event = comment(emulator, { issue: 12, login: 'alice', body: '/docs explain it' })
  const { exitCode, log } = await runAction({
    ...{ action: ACTIONS.root, emulator, launch, event },
    inputs: access(emulator),
  })
  if (exitCode !== 0) throw new Error(log)
}

/** Lines with code inside functions that ran, without the blocks that did not. What a module does when it loads is none of it. */
function linesRun(text: string, { functions }: Script): number {
  const ran = new Uint8Array(text.length)
  // Outer functions come before inner ones, so the innermost range decides.
  const ranges = functions
    .flatMap(({ ranges }) => ranges)
    .toSorted((a, b) => b.endOffset - b.startOffset - (a.endOffset - a.startOffset))
  for (const { startOffset, endOffset, count } of ranges) {
    const isModule = startOffset === 0 && endOffset >= text.length
    ran.fill(!isModule && count > 0 ? 1 : 0, startOffset, endOffset)
  }
  const source = ts.createSourceFile('', text, ts.ScriptTarget.Latest, true)
  const lines = new Set<number>()
  const visit = (node: ts.Node): void => {
    const start = node.getStart(source)
    if (node.getChildCount(source) === 0 && ran[start] === 1)
      lines.add(source.getLineAndCharacterOfPosition(start).line)
    for (const child of node.getChildren(source)) visit(child)
  }
  visit(source)
  return lines.size
}
