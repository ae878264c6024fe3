import { fencedReference } from '../agent/prompt.ts'
import type { Inputs } from '../inputs.ts'
import type { RunContext } from '../run-context.ts'
import type { Command } from './command.ts'
import { readContext, reviewPlace } from './context.ts'
import { commentSource, type Trigger } from './event.ts'
import { type RenderDeps, renderedCommand } from './rendered-text.ts'

/** What a prompt is made of (contract 4.1). */
export interface Material {
  /** As readers of the comment see it. */
  readonly command: Command | 'input'
  readonly request: string
  /** What triggered the run; '' for nothing. */
  readonly context: string
  /** The place that a review comment is about; '' for everything else. */
  readonly place: string
}

export interface MaterialSource extends RenderDeps {
  readonly setup: {
    readonly inputs: Inputs
    readonly trigger: Trigger
    readonly context: RunContext
    readonly request: string
  }
}

/** Reads everything that a prompt may need, at the same time. */
export async function readMaterial(source: MaterialSource, command: Command | 'input'): Promise<Material> {
  const { inputs, trigger, context, request } = source.setup
  const comment = commentSource(trigger)
  const [shown, described] = await Promise.all([
    command === 'input' || comment === undefined
      ? command
      : renderedCommand(source, comment, trigger.comment?.body ?? '', inputs.command, command),
    inputs.context ? readContext(source, trigger, context) : '',
  ])
  const prompt = shown !== 'input' && shown.kind === 'prompt' ? shown.prompt : request
  return { command: shown, request: prompt, context: described, place: reviewPlace(trigger) }
}

/** The prompt of a new job, or of a follow-up message. Text of others stands in a fence below the request (4.2). */
export function promptOf(
  { request, context, place }: Material,
  kind: 'create' | 'continue',
  guidelines: string,
  random: () => number,
): string {
  const parts =
    kind === 'create'
      ? [guidelines, request, fencedReference(context, random)]
      : [request, fencedReference(place, random)]
  return parts.filter(Boolean).join('\n\n')
}
