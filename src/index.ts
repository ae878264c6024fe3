import type { Deps } from './base/deps.ts'
import type { Runner } from './event/trigger.ts'
import { processDeps, readRunner } from './process-deps.ts'
import { explainError } from './words/explain.ts'

type Process = (deps: Deps, readRunner: () => Promise<Runner>) => Promise<void>

/** Runs a process with the real world outside. Every error that passes it becomes one sentence. */
function entry<Name extends string>(name: Name, load: () => Promise<Readonly<Record<Name, Process>>>) {
  return async (): Promise<void> => {
    const deps = processDeps(process.env)
    try {
      const { [name]: run } = await load()
      await run(deps, () => readRunner(process.env))
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
