import type { RunView, State, ThreadView } from '../view/state.ts'

export type Shown =
  | { readonly kind: 'thread'; readonly thread: ThreadView }
  | { readonly kind: 'run'; readonly run: RunView }

/** What stands behind `#/`; '' where the visitor has chosen nothing. */
export const chosen = (): string => decodeURI(location.hash).replace(/^#\/?/, '')

/** What the visitor has chosen or, without a choice, what something happened on last. */
export function shown(state: State): Shown | undefined {
  const key = chosen() || state.focus
  for (const { threads, runs } of state.stories) {
    const thread = threads.find((one) => one.key === key)
    if (thread) return { kind: 'thread', thread }
    const run = runs.find((one) => one.key === key)
    if (run) return { kind: 'run', run }
  }
  return undefined
}
