import { pageBlock } from '../../helpers/page-blocks.ts'
import type { Edit } from './act.ts'

/** The lines of a page's block of YAML that begins so. */
export const quoted = pageBlock

export const asSteps = (lines: string): string => lines.replaceAll(/^(?=.)/gm, '      ')

/** Steps after the action's, which they call `docs`. */
export const withStepsAfter =
  (lines: string): Edit =>
  (workflow) =>
    workflow.replace('- uses: OWNER/docs-agent@v1\n', '$&        id: docs\n') + asSteps(lines)
