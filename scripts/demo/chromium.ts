import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { env } from 'node:process'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome.exe']
const APPLICATIONS = ['Chromium', 'Google Chrome'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
)

/** Where the machine has one, or what `CHROMIUM` names. */
export function findChromium(): string | undefined {
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/bin']
  const usual = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return env.CHROMIUM || [...usual, ...APPLICATIONS].find(existsSync)
}

export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined)
    throw new Error('This needs Chromium: `apt-get install -y chromium`, or name one in CHROMIUM.')
  return await chromium.launch({ executablePath })
}
