import { expect } from 'vitest'
import { fileText } from '../../house/files.ts'
import type { Edit } from './act.ts'

/** The lines of a page's block of YAML that begins so. */
export function quoted(page: string, begin: string): string {
  const [block, ...others] = [...fileText(page).matchAll(/^( *)```yaml\n([\s\S]*?)^ *```/gm)]
    .map(([, indent = '', lines = '']) => lines.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
    .filter((lines) => lines.startsWith(begin))
  expect(others).toEqual([])
  if (block === undefined) throw new Error(`${page} quotes no YAML that begins with ${begin}`)
  return block
}

export const asSteps = (lines: string): string => lines.replaceAll(/^(?=.)/gm, '      ')

/** Steps after the action's, which they call `docs`. */
export const withStepsAfter =
  (lines: string): Edit =>
  (workflow) =>
    workflow.replace('- uses: OWNER/docs-agent@v1\n', '$&        id: docs\n') + asSteps(lines)
