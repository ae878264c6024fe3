import { closeSync, type Dirent, openSync, readdirSync, readSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { pageOfFile } from './page-path.ts'

/** More files than this are no docs. */
const MOST_FILES = 200_000

export interface DocsFile {
  /** Its name, as a site serves it. */
  readonly page: string
  /** From the folder of the docs. */
  readonly name: string
  readonly path: string
}

/** All pages and files below a folder of the workspace. */
export function* docsFiles(workspace: string, folder: string): Generator<DocsFile> {
  const root = resolve(workspace, folder)
  const left = [root]
  let files = 0
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name)
      if (entry.isDirectory() && isOfDocs(entry.name)) left.push(path)
      if (!entry.isFile() || ++files > MOST_FILES) continue
      const name = relative(root, path).split(sep).join('/').toWellFormed()
      yield { page: pageOfFile(name), name, path }
    }
  }
}

const isOfDocs = (folder: string): boolean => folder !== 'node_modules' && folder !== '.git'

/** What cannot be read has no pages. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Bytes in which front matter, or the first fields of a description, have room. */
const START = 10_000

/** Whether the navigation has a link to elsewhere in its place: https://www.mintlify.com/docs/organize/pages#external-links */
export function isLink(path: string): boolean {
  const [, fields = ''] = /^---\r?\n(.*?)\r?\n---/s.exec(startOf(path)) ?? []
  return /^url:[ \t]*["']?[^\s"'#]/m.test(fields)
}

/** '' for what cannot be read. */
export function startOf(path: string): string {
  const bytes = Buffer.alloc(START)
  try {
    const file = openSync(path, 'r')
    try {
      return bytes.toString('utf8', 0, readSync(file, bytes))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}
