import { lstat, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { BadInput, messageOf } from '../core/errors.ts'

/** Where the file will be. */
export interface Place {
  /** Absolute, free of symbolic links as far as it exists. */
  readonly path: string
  /** From the workspace, with slashes: what other steps and people are told. */
  readonly name: string
}

/**
 * A file in the workspace, whether it exists or not. Nothing is made yet.
 * @throws {BadInput} when it is elsewhere, also by way of a symbolic link, or cannot be a file
 */
export async function placeOf(workspace: string, file: string): Promise<Place> {
  const root = await realpath(workspace)
  const name = relative(resolve(workspace), resolve(workspace, file))
  if (isOutside(name)) throw outside()
  const path = await realPath(join(root, name)).catch((cause: unknown) => {
    throw new BadInput('file', `cannot be used (${messageOf(cause)})`, REMEDY, { cause })
  })
  if (isOutside(relative(root, path))) throw outside()
  return { path, name: name.split(sep).join('/') }
}

const REMEDY = 'Write a path in the workspace, such as `reports/visitors.csv`.'

const outside = () => new BadInput('file', 'leaves the workspace', REMEDY)

/** `..hidden` is a name like any other. */
const isOutside = (name: string): boolean =>
  name === '' || name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name)

/** The path with the links resolved of the part that exists; a link that leads nowhere is an error. */
async function realPath(path: string, behind = ''): Promise<string> {
  const exists = await lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
  if (!exists) return realPath(dirname(path), join(path.slice(dirname(path).length), behind))
  const real = await realpath(path)
  const directory = (await stat(real)).isDirectory()
  if (directory === (behind === '')) throw new Error(directory ? 'it is a directory' : `${path} is a file`)
  return join(real, behind)
}
