import { expect } from 'vitest'
import { fileText } from '../house/files.ts'

/** The lines of the one block of code of a page that begins so. */
export function pageBlock(page: string, begin: string): string {
  const blocks = [...fileText(page).matchAll(/^( *)```\w+\n([\s\S]*?)^ *```/gm)].map(
    ([, indent = '', lines = '']) => lines.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
  const [found, ...others] = blocks.filter((lines) => lines.startsWith(begin))
  expect(others).toEqual([])
  return found ?? expect.fail(`${page} has no block that begins with ${begin}`)
}
