import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { env } from 'node:process'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome.exe']
const ELSEWHERE = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Where the machine has one, or what `CHROMIUM` names. */
export function findChromium(
  variables: Readonly<Record<string, string | undefined>> = env,
  exists: (path: string) => boolean = existsSync,
): string | undefined {
  const folders = [...(variables.PATH ?? '').split(delimiter), '/usr/bin']
  const usual = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return variables.CHROMIUM || [...usual, ...ELSEWHERE].find(exists)
}

export async function launchChromium(find = findChromium): Promise<Browser> {
  const executablePath = find()
  if (executablePath === undefined)
    throw new Error('This needs Chromium: `apt-get install -y chromium`, or name one in CHROMIUM.')
  return await chromium.launch({ executablePath })
}
