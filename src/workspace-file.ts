import { readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { BadInput } from './errors.ts'
import { code } from './text.ts'

const REMEDY =
  'Write the path of a UTF-8 text file in the workspace. Check it out or create it in an earlier step.'

/**
 * The text of a file in the workspace.
 * @param input that names the file, for the error
 * @throws {BadInput} where it is no readable UTF-8 file, or lies outside the workspace
 */
export function readWorkspaceFile(input: string, file: string, workspace: string): string {
  const refuse = (fault: string, cause?: unknown): never => {
    throw new BadInput(input, `(${code(file, 100)}) ${fault}`, REMEDY, { cause })
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
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    return refuse('lies outside the workspace')
  }
  // A link may lead there, and the checkout keeps its token there.
  if (inside.split(sep).includes('.git')) return refuse('lies in the `.git` directory')
  // To read a pipe or a device could take for ever.
  if (!orRefuse('cannot be read', () => statSync(path)).isFile()) return refuse('is not a regular file')
  const bytes = orRefuse('cannot be read', () => readFileSync(path))
  return orRefuse('is not UTF-8', () => new TextDecoder('utf-8', { fatal: true }).decode(bytes))
}
