import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { env, platform } from 'node:process'
import { styleText } from 'node:util'
import { say } from '../screen.ts'
import type { Stage } from '../stage.ts'
import { startPage } from './server.ts'

/** A browser takes a moment, and the first scene should not be over by then. */
const PATIENCE_MS = 5_000

/** Plays with a page that shows it, and leaves the page open until Ctrl+C. @returns the exit code */
export async function onPage(stage: Stage, play: () => Promise<number>): Promise<number> {
  const page = await startPage(stage)
  const url = styleText(['underline', 'cyan'], page.url)
  say(`The demo plays at ${url}\n`)
  openInBrowser(page.url)
  await page.viewer(PATIENCE_MS)
  const exitCode = await play()
  say(`\nIt stays open at ${url} until Ctrl+C.`)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  await page.close()
  return exitCode
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
}

/** Does nothing in CI and on machines without a screen. */
function openInBrowser(url: string): void {
  const [command, ...args] = OPENERS[platform] ?? []
  const hasScreen = platform !== 'linux' || env.DISPLAY || env.WAYLAND_DISPLAY
  if (env.CI || !hasScreen || command === undefined) return
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}
