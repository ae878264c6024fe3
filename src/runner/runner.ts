import { appendFileSync } from 'node:fs'
import { EOL } from 'node:os'
// Not from the index of @actions/core: that also loads its HTTP client and another undici, 40 ms of every start and
// 1 MB of every bundle, for the OIDC tokens that this action has no use for.
import { issueCommand } from '../../node_modules/@actions/core/lib/command.js'
import { messageOf } from '../core/errors.ts'
import { logLine } from '../core/text.ts'

export type Level = 'error' | 'warning' | 'notice' | 'debug'

/** What a step can say to the runner that runs it. */
export interface Runner {
  /** From now on the runner shows `***` in its place. Comes before everything else. */
  mask(secret: string): void
  /** One line of the log. Text of others can stand in it: it is never taken for a command. */
  log(line: string): void
  annotate(level: Level, message: string): void
  output(name: string, value: string): void
  /** For the post step, which finds it as `STATE_<name>`. The last value of a name counts. */
  saveState(name: string, value: string): void
  /** Adds Markdown to the step's summary. */
  summary(markdown: string): void
  readonly debugging: boolean
}

/** @param env the process's environment: it names the files that the runner reads afterwards */
export function runnerOf(env: NodeJS.ProcessEnv): Runner {
  const log = (line: string) => void process.stdout.write(logLine(line) + EOL)
  /** A file that cannot be written must not keep the rest from being said. */
  const append = (variable: string, text: string) => {
    const file = env[variable] ?? ''
    if (file === '') return
    try {
      appendFileSync(file, text)
    } catch (error) {
      log(`The file that ${variable} names cannot be written (${messageOf(error)}).`)
    }
  }
  return {
    log,
    mask: (secret) => issueCommand('add-mask', {}, secret),
    annotate: (level, message) => issueCommand(level, {}, message),
    output: (name, value) => append('GITHUB_OUTPUT', keyValue(name, value)),
    saveState: (name, value) => append('GITHUB_STATE', keyValue(name, value)),
    summary: (markdown) => append('GITHUB_STEP_SUMMARY', markdown),
    debugging: env.RUNNER_DEBUG === '1',
  }
}

/**
 * A value of any number of lines, up to a delimiter that is none of them. @actions/core draws its delimiter at random,
 * and loads cryptography for it before the first request.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands#multiline-strings
 */
function keyValue(name: string, value: string): string {
  let delimiter = 'END'
  while (value.includes(delimiter)) delimiter += '_'
  return [`${name}<<${delimiter}`, value, delimiter, ''].join(EOL)
}
