import { mkdir, open, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** A file that grows out of sight and takes its place whole, or goes without a trace. */
export interface AtomicFile {
  write(text: string): Promise<void>
  /** Takes the place of an earlier file in one step. */
  commit(): Promise<void>
  /** Also after a failed `commit`; the directories that were made for it go too. */
  discard(): Promise<void>
}

/**
 * The text is written to a hidden neighbour, so that the last step is a rename within one file system. Whatever
 * happens before that, a kill included, leaves an earlier file at `path` as it is.
 */
export async function openAtomicFile(path: string): Promise<AtomicFile> {
  const directory = dirname(path)
  const made = await mkdir(directory, { recursive: true })
  const part = join(directory, `.${basename(path)}.${process.pid}.part`)
  // `x`: never through a link that someone put there first.
  const file = await open(part, 'wx').catch(async (error: unknown) => {
    await removeMade(directory, made)
    throw error
  })
  return {
    write: (text) => file.appendFile(text),
    async commit() {
      // Otherwise the name could survive a crash of the machine without the content.
      await file.sync()
      await file.close()
      await rename(part, path)
    },
    async discard() {
      await file.close().catch(() => undefined)
      await rm(part, { force: true })
      await removeMade(directory, made)
    },
  }
}

/** Removes the directories from `directory` up to `top`, the first one that was made, as long as they are empty. */
async function removeMade(directory: string, top: string | undefined): Promise<void> {
  if (top === undefined) return
  for (let at = directory; at.length >= top.length; at = dirname(at)) {
    const removed = await rmdir(at).then(
      () => true,
      () => false,
    )
    if (!removed) return
  }
}
