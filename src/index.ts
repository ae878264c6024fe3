import { collect as collectStep } from './collect/run.ts'
import { type Deps, processDeps } from './deps.ts'
import { unexpectedError } from './errors.ts'
import { insights as insightsStep } from './insights/run.ts'
import { mainStep } from './run/main-step.ts'
import { postStep } from './run/post-step.ts'
import { readRunContext } from './run-context.ts'
import { visitors as visitorsStep } from './visitors/run.ts'

/** The entries of the actions share one bundle, because every run downloads all of it. */
type Step = (deps: Deps, readContext: () => ReturnType<typeof readRunContext>) => Promise<void>

/** Runs a step with the real world outside. Every error that passes the step becomes one sentence (contract 6.3). */
const entry = (step: Step) => async (): Promise<void> => {
  const deps = processDeps(process.env)
  try {
    await step(deps, () => readRunContext(process.env))
  } catch (error) {
    deps.core.setFailed(unexpectedError(deps.core, error))
  }
}

export const main = entry(mainStep)
export const post = entry(postStep)
export const visitors = entry(visitorsStep)
export const insights = entry(insightsStep)
export const collect = entry(collectStep)
