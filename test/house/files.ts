import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export const pathOf = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url))

/** A file of the checkout as text. */
export const fileText = (file: string): string => readFileSync(pathOf(file), 'utf8')

export const yamlOf = (file: string): unknown => parse(fileText(file))

/** Files of the checkout that match, as sorted paths with slashes. */
export const filesLike = (pattern: string): string[] =>
  globSync(pattern, { cwd: pathOf('.') })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
