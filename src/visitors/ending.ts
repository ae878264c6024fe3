import type { Report } from './report.ts'

/** How a run of `visitors` ends. The sentence is for people, in inline Markdown. */
export type Ending =
  | { readonly kind: 'exported'; readonly report: Report }
  | {
      readonly kind: 'skipped' | 'cancelled' | 'failed'
      readonly sentence: string
      /** As many were sent in vain. */
      readonly requests: number
    }

export const isRed = ({ kind }: Ending): boolean => kind === 'cancelled' || kind === 'failed'
