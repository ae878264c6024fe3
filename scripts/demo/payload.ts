import type { Emulator } from '../../emulator/emulator.ts'

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
