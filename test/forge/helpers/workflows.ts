import { stringify } from 'yaml'

type Inputs = Readonly<Record<string, string>>

/** A step of the action, and one that prints its outputs, which no API tells. */
export interface Step {
  /** `collect`, `visitors` or `insights`; without it, the root action. */
  readonly action?: string
  readonly with?: Inputs
}

export interface Workflow {
  readonly on: unknown
  readonly steps: readonly Step[]
  readonly permissions?: Inputs
  /** Name of the concurrency group. */
  readonly group?: string
  readonly if?: string
}

/** Gitea looks at the group before it looks at `if`: a comment that is no command must be in a group of its own. */
export const GROUP_OF_COMMANDS = `docs-agent-${expression(
  "startsWith(github.event.comment.body, '/docs') && github.event.issue.number || github.run_id",
)}`

const PERMISSIONS = { issues: 'write', 'pull-requests': 'write', contents: 'read' }

/** What examples/comment-command.yml says. */
export const onCommands = (inputs: Inputs = {}): Workflow => ({
  on: { issue_comment: { types: ['created'] } },
  if: "startsWith(github.event.comment.body, '/docs')",
  group: GROUP_OF_COMMANDS,
  steps: [{ with: { 'poll-interval-seconds': '1', ...inputs } }],
})

export function textOf(
  { on, steps, group, permissions = PERMISSIONS, ...workflow }: Workflow,
  serviceUrl: string,
): string {
  return stringify({
    name: 'Docs agent',
    on,
    jobs: {
      docs: {
        ...(workflow.if === undefined ? {} : { if: workflow.if }),
        'runs-on': 'ubuntu-latest',
        permissions,
        ...(group === undefined ? {} : { concurrency: { group } }),
        steps: steps.flatMap((step, index) => stepsOf(step, `step${index}`, serviceUrl)),
      },
    },
  })
}

function stepsOf({ action, with: inputs }: Step, id: string, serviceUrl: string) {
  return [
    {
      id,
      uses: ['OWNER', 'docs-agent', ...(action === undefined ? [] : [action])].join('/').concat('@v1'),
      with: {
        'project-id': expression('vars.DOCS_AGENT_PROJECT_ID'),
        'api-key': expression('secrets.DOCS_AGENT_API_KEY'),
        'base-url': serviceUrl,
        ...inputs,
      },
    },
    {
      if: 'always()',
      env: { OUTPUTS: expression(`toJSON(steps.${id}.outputs)`) },
      run: 'node -p "\'outputs: \' + JSON.stringify(JSON.parse(process.env.OUTPUTS))"',
    },
  ]
}

function expression(text: string): string {
  return `\${{ ${text} }}`
}
