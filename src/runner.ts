import { appendFileSync } from 'node:fs'
import { EOL } from 'node:os'
// Not from the index of @actions/core: that also loads its HTTP client and another undici, 40 ms of every start and
// 1 MB of every bundle, for the OIDC tokens that this action has no use for.
import { issueCommand } from '../node_modules/@actions/core/lib/command.js'
import { issueFileCommand, prepareKeyValueMessage } from '../node_modules/@actions/core/lib/file-command.js'
import { logLine } from './text.ts'

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
  return {
    mask: (secret) => issueCommand('add-mask', {}, secret),
    log: (line) => void process.stdout.write(logLine(line) + EOL),
    annotate: (level, message) => issueCommand(level, {}, message),
    output: (name, value) => keyValue(env, 'OUTPUT', 'set-output', name, value),
    saveState: (name, value) => keyValue(env, 'STATE', 'save-state', name, value),
    summary(markdown) {
      const file = env.GITHUB_STEP_SUMMARY ?? ''
      if (file !== '') appendFileSync(file, markdown)
    },
    debugging: env.RUNNER_DEBUG === '1',
  }
}

/** Through the file that the runner reads at the end of the step; as a command where there is none. */
function keyValue(env: NodeJS.ProcessEnv, file: string, command: string, name: string, value: string): void {
  if ((env[`GITHUB_${file}`] ?? '') === '') issueCommand(command, { name }, value)
  else issueFileCommand(file, prepareKeyValueMessage(name, value))
}
