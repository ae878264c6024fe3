import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ActionError, BadInput, messageOf } from '../base/errors.ts'
import { codeSpan, listedCode } from '../base/text.ts'
import type { GetInput } from './readers.ts'

/** Why the action does not touch a path, as seen from the workspace; '' where it does. */
function forbidden(inside: string): string {
  const parts = inside.split(sep)
  if (parts[0] === '..' || isAbsolute(inside)) return 'lies outside the workspace'
  // The checkout keeps its token there. Some disks take `.GIT` for the same name.
  return parts.some((part) => part.toLowerCase() === '.git') ? 'lies in the `.git` directory' : ''
}

const READABLE =
  'Write the path of a UTF-8 text file in the workspace. Check it out or create it in an earlier step.'

/** Of a character in UTF-8. */
const MOST_BYTES = 4

/**
 * @param input that names the file, for the error
 * @param most characters to read, at least; `goesOn` tells whether the file has more
 * @throws {BadInput} where it is no readable UTF-8 file, or lies outside the workspace
 */
export function readWorkspaceFile(
  input: string,
  file: string,
  workspace: string,
  most: number,
): { readonly text: string; readonly goesOn: boolean } {
  const refuse = (fault: string, cause?: unknown): never => {
    throw new BadInput(input, `(${codeSpan(file, 100)}) ${fault}`, READABLE, { cause })
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
  const fault = forbidden(relative(root, path))
  if (fault !== '') return refuse(fault)
  // To open a pipe or a device could take for ever.
  if (!orRefuse('cannot be read', () => statSync(path)).isFile()) return refuse('is not a regular file')
  const { bytes, goesOn } = orRefuse('cannot be read', () => {
    const opened = openSync(path, 'r')
    try {
      const { size } = fstatSync(opened)
      const start = Buffer.alloc(Math.min(size, MOST_BYTES * most))
      return { bytes: start.subarray(0, readSync(opened, start)), goesOn: size > start.length }
    } finally {
      closeSync(opened)
    }
  })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  // The start may end within a character.
  return { text: orRefuse('is not UTF-8', () => decoder.decode(bytes, { stream: goesOn })), goesOn }
}

/** The input `file`; `format` is its extension in lower case. */
export function readOutputFile<Format extends string>(
  input: GetInput,
  fallback: string,
  formats: readonly Format[],
): { readonly file: string; readonly format: Format } {
  const file = input('file') || fallback
  const extension = extname(file).toLowerCase()
  const format = formats.find((one) => one === extension)
  if (format === undefined) {
    const remedy = `Write a path that ends in ${listedCode(formats, 'disjunction')}.`
    throw new BadInput('file', `is ${codeSpan(file, 60)}, whose extension sets no format`, remedy)
  }
  return { file: printable('file', file), format }
}

/** An input that names a file to write beside that; '' for none. @param extension with its dot */
export function readOutputName(input: GetInput, name: string, extension: string): string {
  const file = input(name)
  if (file === '' || extname(file).toLowerCase() === extension) return printable(name, file)
  throw new BadInput(name, `is ${codeSpan(file, 60)}`, `Write a path that ends in \`${extension}\`.`)
}

function printable(name: string, file: string): string {
  if (!/\p{Cc}/u.test(file)) return file
  throw new BadInput(name, 'holds a control character', 'Write the path alone, on one line.')
}

/**
 * The file appears whole, or not at all: it is renamed once it is on the disk.
 * @throws {ActionError} when it cannot be written; an earlier file is unchanged
 */
export async function writeOutputFile({ path, name }: OutputFile, text: string): Promise<void> {
  const part = join(dirname(path), `.${basename(path)}.${process.pid}.part`)
  try {
    await mkdir(dirname(path), { recursive: true })
    // `wx`: never through a link that someone put there first.
    await writeFile(part, text, { flag: 'wx', flush: true })
    await rename(part, path)
  } catch (cause) {
    await rm(part, { force: true }).catch(() => undefined)
    const sentence = `The file \`${name}\` could not be written (${messageOf(cause)}). An earlier file is unchanged; check the disk of the runner.`
    throw new ActionError('internal', sentence, { cause })
  }
}

interface OutputFile {
  readonly path: string
  /** The path from the workspace, with slashes. */
  readonly name: string
}

/** @throws {BadInput} where the file may not be written, also through a symbolic link, or cannot be a file */
export function outputFile(workspace: string, file: string, input = 'file'): OutputFile {
  const refuse = (fault: string, cause?: unknown): never => {
    throw new BadInput(input, fault, 'Write the path of a file in the workspace.', { cause })
  }
  const root = realpathSync(workspace)
  const name = relative(resolve(workspace), resolve(workspace, file))
  if (name === '') return refuse('is the workspace itself')
  let path = ''
  try {
    path = realPath(join(root, name))
    accessSync(existing(dirname(path)), constants.W_OK)
  } catch (cause) {
    return refuse(forbidden(name) || `cannot be used (${messageOf(cause)})`, cause)
  }
  const fault = forbidden(name) || forbidden(relative(root, path))
  return fault === '' ? { path, name: name.split(sep).join('/') } : refuse(fault)
}

/** The folder, or the nearest one above it that exists. */
const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)))

/** `rest` does not exist. @throws on a dangling link, and where a file and a directory are mixed up */
function realPath(path: string, rest = ''): string {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    return realPath(dirname(path), join(basename(path), rest))
  }
  const real = realpathSync(path)
  const isDirectory = statSync(real).isDirectory()
  if (isDirectory === (rest === '')) throw new Error(isDirectory ? 'it is a directory' : `${path} is a file`)
  return join(real, rest)
}
