import { type Deps, processDeps } from './deps.ts'
import { unexpectedError } from './errors.ts'
import { readRunContext } from './run-context.ts'

type Step = (deps: Deps, readContext: () => ReturnType<typeof readRunContext>) => Promise<void>

/** Runs a step with the real world outside. Every error that passes the step becomes one sentence (contract 6.3). */
const entry = (load: () => Promise<Step>) => async (): Promise<void> => {
  const deps = processDeps(process.env)
  try {
    const step = await load()
    await step(deps, () => readRunContext(process.env))
  } catch (error) {
    deps.core.setFailed(unexpectedError(deps.core, error))
  }
}

// The actions share one bundle, because every run downloads all of it; "eager" keeps their modules in it, and each
// action evaluates its own only.
export const main = entry(
  async () => (await import(/* webpackMode: "eager" */ './run/main-step.ts')).mainStep,
)
export const post = entry(
  async () => (await import(/* webpackMode: "eager" */ './run/post-step.ts')).postStep,
)
export const visitors = entry(
  async () => (await import(/* webpackMode: "eager" */ './visitors/run.ts')).visitors,
)
export const insights = entry(
  async () => (await import(/* webpackMode: "eager" */ './insights/run.ts')).insights,
)
export const collect = entry(
  async () => (await import(/* webpackMode: "eager" */ './collect/run.ts')).collect,
)
