import type { MessageContext } from './report.ts'

/** The answer to `/docs help`. */
export function usageComment({ command, minPermission }: MessageContext): string {
  return [
    `**ℹ️ How to use the docs agent**: write a comment that begins with \`${command}\`.`,
    '',
    `- \`${command} explain the new retry option\` starts a job, or continues the one of this thread`,
    `- \`${command} new …\` starts a new job`,
    `- \`${command} status\` asks how the job stands`,
    '',
    minPermission === 'none'
      ? 'Everyone can use it.'
      : `To use it you need ${minPermission} permission on the repository.`,
  ].join('\n')
}

/** Why the person cannot use the action. */
export function refusalComment(context: MessageContext): string {
  const { command, minPermission, denied } = context
  const who = denied?.login ? `@${denied.login}, \`${command}\`` : `\`${command}\``
  const has = denied?.has ? `you have ${denied.has}` : 'yours could not be read'
  return `**🔒 ${who} needs ${minPermission} permission on this repository**; ${has}. ${permissionRemedy(context)}`
}

/** `mallory can't use the docs agent here: it needs write permission, and mallory has read` */
export function permissionHeadline({ minPermission, denied }: MessageContext): string {
  const who = denied?.login || 'The person who triggered this run'
  const has = denied?.has
    ? `${denied.login} has ${denied.has}`
    : `the permission of ${denied?.login || 'that person'} could not be read`
  return `${who} can't use the docs agent here: it needs ${minPermission} permission, and ${has}`
}

/** A maintainer cannot help where it is the token that cannot read permissions. */
export const permissionRemedy = ({ denied }: MessageContext): string =>
  denied?.has
    ? 'A maintainer can run it for you.'
    : 'Pass a `github-token` that can read the permissions of collaborators.'
