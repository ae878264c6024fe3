import { data, Evaluator, Lexer, Parser, wellKnownFunctions } from '@actions/expressions'

export interface GitHubContext {
  readonly event_name: string
  readonly event: Readonly<Record<string, unknown>>
  readonly actor?: string
}

/** What a workflow gets from the one that calls it. */
export type CallInputs = Readonly<Record<string, unknown>>

/** An expression of a workflow of octo/app, or what stands between `${{` and `}}`, as GitHub's own evaluator reads it. */
export function evaluated(expression: string, github: GitHubContext, inputs: CallInputs = {}): string {
  const context: unknown = JSON.parse(
    JSON.stringify({ github: { repository: 'octo/app', ...github }, inputs }),
    data.reviver,
  )
  const { tokens } = new Lexer(expression.replace(/^\$\{\{([\s\S]*)\}\}$/, '$1')).lex()
  const tree = new Parser(tokens, ['github', 'inputs'], Object.values(wellKnownFunctions)).parse()
  return new Evaluator(tree, context as data.Dictionary).evaluate().coerceString()
}

/** A text with expressions in it. */
export const filledIn = (text: string, github: GitHubContext): string =>
  text.replace(/\$\{\{.*?\}\}/g, (expression) => evaluated(expression, github))
