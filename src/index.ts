import type { Deps } from './base/deps.ts'
import { processDeps, readRunContext } from './process-deps.ts'
import { explainError } from './words/explain.ts'

type Step = (deps: Deps, readContext: () => ReturnType<typeof readRunContext>) => Promise<void>

/** Runs a step with the real world outside. Every error that passes the step becomes one sentence. */
function entry<Name extends string>(name: Name, load: () => Promise<Readonly<Record<Name, Step>>>) {
  return async (): Promise<void> => {
    const deps = processDeps(process.env)
    try {
      const { [name]: step } = await load()
      await step(deps, () => readRunContext(process.env))
    } catch (error) {
      deps.core.setFailed(explainError(deps.core, error))
    }
  }
}

// The actions share one bundle, because every run downloads all of it; "eager" keeps their modules in it, and each
// action evaluates its own only.
export const main = entry('mainStep', () => import(/* webpackMode: "eager" */ './story/main.ts'))
export const post = entry('postStep', () => import(/* webpackMode: "eager" */ './story/post.ts'))
export const visitors = entry('visitors', () => import(/* webpackMode: "eager" */ './analytics/visitors.ts'))
export const insights = entry('insights', () => import(/* webpackMode: "eager" */ './analytics/insights.ts'))
export const collect = entry('collect', () => import(/* webpackMode: "eager" */ './story/collect.ts'))
