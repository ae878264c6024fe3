import { fileURLToPath } from 'node:url'
import type { Emulator } from '../../emulator/emulator.ts'

const metadata = (folder: string): string =>
  fileURLToPath(new URL(`../../${folder}action.yml`, import.meta.url))

/** The metadata file of each action. */
export const ACTIONS = {
  root: metadata(''),
  collect: metadata('collect/'),
  visitors: metadata('visitors/'),
  insights: metadata('insights/'),
} as const

/** The inputs that every action needs. */
export const access = ({ settings }: Pick<Emulator, 'settings'>) => ({
  'project-id': settings.projectId,
  'api-key': settings.apiKey,
  'memory-key': 'what-the-threads-remember',
})

interface CommentEvent {
  readonly issue: number
  readonly login: string
  readonly body: string
}

/** Writes a comment in the emulated repository, and returns the event that GitHub would send for it. */
export function comment({ github, shown }: Emulator, { issue, ...written }: CommentEvent) {
  const payload = {
    action: 'created',
    issue: shown.issue(issue),
    comment: shown.comment(github.addComment(issue, written)),
    repository: shown.repository(),
    sender: shown.user(written.login),
  }
  return { name: 'issue_comment', payload }
}
