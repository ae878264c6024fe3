import { once } from 'node:events'
import { styleText } from 'node:util'
import { say } from '../screen.ts'
import type { Stage } from '../stage.ts'
import { openInBrowser } from './browser.ts'
import { startPage } from './server.ts'

/** A browser takes a moment, and the first scene should not be over by then. */
const PATIENCE_MS = 5_000

/** Plays with a page that shows it, and leaves the page open until Ctrl+C. @returns the exit code */
export async function onPage(stage: Stage, play: () => Promise<number>): Promise<number> {
  const page = await startPage(stage)
  const url = styleText(['underline', 'cyan'], page.url)
  say(`The demo plays at ${url}`)
  say()
  openInBrowser(page.url)
  await page.viewer(PATIENCE_MS)
  const exitCode = await play()
  say()
  say(`It stays open at ${url} until Ctrl+C.`)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  await page.close()
  return exitCode
}
