import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findChromium, launchChromium } from '../../scripts/demo/chromium.ts'

const CHROME = join('/opt/bin', 'google-chrome')

test('CHROMIUM counts before what the machine has', () => {
  expect(findChromium({ CHROMIUM: '/x/chromium', PATH: '/opt/bin' }, () => true)).toBe('/x/chromium')
})

test('without it, the first of the usual names in PATH', () => {
  expect(findChromium({ PATH: '/opt/bin' }, (path) => path === CHROME)).toBe(CHROME)
})

test('where there is none, one sentence says how to get it', async () => {
  expect(findChromium({ PATH: '/opt/bin' }, () => false)).toBeUndefined()
  await expect(launchChromium(() => undefined)).rejects.toThrow(
    'This needs Chromium: `apt-get install -y chromium`, or name one in CHROMIUM.',
  )
})
