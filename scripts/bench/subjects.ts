import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Emulator } from '../../emulator/emulator.ts'
import { inputVariables, jobVariables } from '../../emulator/runner/environment.ts'
import { readMetadata } from '../../emulator/runner/metadata.ts'
import type { ActionRun } from '../../emulator/runner.ts'
import { comment } from '../demo/payload.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** One way to run one of the actions. */
export interface Subject {
  readonly name: string
  readonly action: 'action.yml' | 'visitors/action.yml' | 'insights/action.yml' | 'collect/action.yml'
  readonly inputs: Readonly<Record<string, string>>
  readonly event: (emulator: Emulator) => ActionRun['event']
}

export const ISSUE = 12

const dispatch: Subject['event'] = () => ({ name: 'workflow_dispatch', payload: {} })

/** Every action once, and the root action with and without a thread. */
export const SUBJECTS: readonly Subject[] = [
  { name: 'no thread', action: 'action.yml', inputs: { prompt: 'Explain it.' }, event: dispatch },
  {
    name: 'comment on an issue',
    action: 'action.yml',
    inputs: {},
    event: (emulator) => comment(emulator, { issue: ISSUE, login: 'alice', body: '/docs explain it' }),
  },
  { name: 'visitors', action: 'visitors/action.yml', inputs: {}, event: dispatch },
  { name: 'insights', action: 'insights/action.yml', inputs: {}, event: dispatch },
  { name: 'collect', action: 'collect/action.yml', inputs: {}, event: dispatch },
]

/** The script of a subject, and the environment that the runner would give it. */
export function processOf(
  subject: Subject,
  emulator: Emulator,
  folders: { readonly workspace: string; readonly temp: string; readonly event: string },
): { readonly script: string; readonly env: Record<string, string>; readonly event: ActionRun['event'] } {
  const action = join(ROOT, subject.action)
  const event = subject.event(emulator)
  const { projectId, apiKey } = emulator.settings
  const inputs = { 'project-id': projectId, 'api-key': apiKey, ...subject.inputs }
  const run = { action, inputs, event, emulator }
  const metadata = readMetadata(action)
  return {
    script: metadata.main,
    env: { ...jobVariables(run, folders), ...inputVariables(metadata, run) },
    event,
  }
}
