import { readFileSync, realpathSync, statSync } from 'node:fs'
import { lstat, mkdir, open, realpath, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ActionError, BadInput, messageOf } from './errors.ts'
import { code } from './text.ts'

/** Whether a relative path leaves its root; `..hidden` is a name like any other. */
const leaves = (name: string): boolean => name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name)

const READABLE =
  'Write the path of a UTF-8 text file in the workspace. Check it out or create it in an earlier step.'

/**
 * The text of a file in the workspace.
 * @param input that names the file, for the error
 * @throws {BadInput} where it is no readable UTF-8 file, or lies outside the workspace
 */
export function readWorkspaceFile(input: string, file: string, workspace: string): string {
  const refuse = (fault: string, cause?: unknown): never => {
    throw new BadInput(input, `(${code(file, 100)}) ${fault}`, READABLE, { cause })
  }
  const orRefuse = <T>(fault: string, act: () => T): T => {
    try {
      return act()
    } catch (cause) {
      return refuse(fault, cause)
    }
  }
  const root = orRefuse('does not exist', () => realpathSync(workspace))
  const path = orRefuse('does not exist', () => realpathSync(resolve(workspace, file)))
  const inside = relative(root, path)
  if (leaves(inside)) return refuse('lies outside the workspace')
  // A link may lead there, and the checkout keeps its token there.
  if (inside.split(sep).includes('.git')) return refuse('lies in the `.git` directory')
  // To read a pipe or a device could take for ever.
  if (!orRefuse('cannot be read', () => statSync(path)).isFile()) return refuse('is not a regular file')
  const bytes = orRefuse('cannot be read', () => readFileSync(path))
  return orRefuse('is not UTF-8', () => new TextDecoder('utf-8', { fatal: true }).decode(bytes))
}

const WRITABLE = 'Write the path of a file in the workspace.'

/**
 * The file of the input `file`, whether it exists or not. Creates nothing.
 * @returns its absolute `path`, and its `name` from the workspace, with slashes
 * @throws {BadInput} when it lies outside the workspace, also through a symbolic link, or cannot be a file
 */
export async function workspacePath(
  workspace: string,
  file: string,
): Promise<{ readonly path: string; readonly name: string }> {
  const outside = () => new BadInput('file', 'leaves the workspace', WRITABLE)
  const root = await realpath(workspace)
  const name = relative(resolve(workspace), resolve(workspace, file))
  if (name === '' || leaves(name)) throw outside()
  const path = await realPath(join(root, name)).catch((cause: unknown) => {
    throw new BadInput('file', `cannot be used (${messageOf(cause)})`, WRITABLE, { cause })
  })
  if (leaves(relative(root, path))) throw outside()
  return { path, name: name.split(sep).join('/') }
}

/**
 * The path with the symbolic links of its existing part resolved.
 * @param rest the part behind `path` that does not exist
 * @throws on a dangling link, and where a file and a directory are mixed up
 */
async function realPath(path: string, rest = ''): Promise<string> {
  const exists = await lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
  if (!exists) return realPath(dirname(path), join(basename(path), rest))
  const real = await realpath(path)
  const directory = (await stat(real)).isDirectory()
  if (directory === (rest === '')) throw new Error(directory ? 'it is a directory' : `${path} is a file`)
  return join(real, rest)
}

/**
 * Lets `work` write the file, which appears once `work` is done: whole, or not at all.
 * @throws {BadInput} before any work, when the file cannot be opened
 * @throws {ActionError} when the file cannot be written; an earlier file is unchanged
 */
export async function writeOutputFile<T>(
  workspace: string,
  file: string,
  work: (write: (text: string) => Promise<void>, name: string) => Promise<T>,
): Promise<T> {
  const { path, name } = await workspacePath(workspace, file)
  const atomic = await openAtomicFile(path).catch((cause: unknown) => {
    throw new BadInput('file', `cannot be written (${messageOf(cause)})`, 'Write another path.', { cause })
  })
  const explained = (step: Promise<void>): Promise<void> =>
    step.catch((cause: unknown) => {
      const sentence = `The file \`${name}\` could not be written (${messageOf(cause)}). An earlier file is unchanged; check the disk of the runner.`
      throw new ActionError('internal', sentence, { cause })
    })
  try {
    const result = await work((text) => explained(atomic.write(text)), name)
    await explained(atomic.commit())
    return result
  } catch (error) {
    await atomic.discard()
    throw error
  }
}

/**
 * A file that grows out of sight and takes its place whole, or goes without a trace. The text is written to a hidden
 * neighbour, so that the last step is a rename within one file system. Whatever happens before that, a kill included,
 * leaves an earlier file at `path` as it is.
 */
export async function openAtomicFile(path: string) {
  const directory = dirname(path)
  const made = await mkdir(directory, { recursive: true })
  const part = join(directory, `.${basename(path)}.${process.pid}.part`)
  // `x`: never through a link that someone put there first.
  const file = await open(part, 'wx').catch(async (error: unknown) => {
    await removeMade(directory, made)
    throw error
  })
  return {
    write: (text: string): Promise<void> => file.appendFile(text),
    /** Takes the place of an earlier file in one step. */
    async commit(): Promise<void> {
      // Otherwise the name could survive a crash of the machine without the content.
      await file.sync()
      await file.close()
      await rename(part, path)
    },
    /** Also after a failed `commit`; the directories that were made for it go too. */
    async discard(): Promise<void> {
      await file.close().catch(() => undefined)
      await rm(part, { force: true })
      await removeMade(directory, made)
    },
  }
}

/** Removes the directories from `directory` up to `top`, the first one that was made, as long as they are empty. */
async function removeMade(directory: string, top: string | undefined): Promise<void> {
  if (top === undefined) return
  try {
    for (let at = directory; at.length >= top.length; at = dirname(at)) await rmdir(at)
  } catch {
    // Somebody else put something there: it stays.
  }
}
