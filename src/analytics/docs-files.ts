import { type Dirent, readdirSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { pageOfFile } from './page-path.ts'

/** More files than this are no docs. */
const MOST_FILES = 200_000

/** The names of all pages and files below a folder of the workspace, as a site serves them. */
export function* docsFiles(workspace: string, folder: string): Generator<string> {
  const root = resolve(workspace, folder)
  const left = [root]
  let files = 0
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name)
      if (entry.isDirectory() && isOfDocs(entry.name)) left.push(path)
      if (!entry.isFile() || ++files > MOST_FILES) continue
      const name = relative(root, path).split(sep).join('/').toWellFormed()
      yield pageOfFile(name)
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
