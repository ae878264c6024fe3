import { spawn } from 'node:child_process'
import { env, platform } from 'node:process'

/** Opens a URL as the platform does. Does nothing in CI and on machines without a screen. */
export function openInBrowser(url: string): void {
  const opener = openerOf(platform, env)
  if (opener === undefined) return
  const [command, ...args] = opener
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}

type Environment = Readonly<Record<string, string | undefined>>

/** @returns the command and its first arguments */
export function openerOf(system: NodeJS.Platform, variables: Environment): [string, ...string[]] | undefined {
  if (variables.CI) return undefined
  if (system === 'darwin') return ['open']
  if (system === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return variables.DISPLAY || variables.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}
