import { basename, posix } from 'node:path'
import { BadInput } from '../base/errors.ts'
import { asObject, isObject, type JsonObject, parseJson } from '../base/json.ts'
import { codeSpan, grouped } from '../base/text.ts'
import { readWorkspaceFile } from '../inputs/workspace-file.ts'

const INPUT = 'navigation-file'
/** Characters of each file that is read. */
const MOST_CHARACTERS = 10_000_000

/** A value of a file, and where its own references begin. */
export interface Value {
  readonly value: unknown
  /** From the workspace. */
  readonly file: string
  /** The files that led here, the first one first. */
  readonly chain: readonly string[]
}

/** `docs.json` and the files that it names. @throws {BadInput} from each method */
export class NavigationFiles {
  readonly root: string
  readonly #file: string
  readonly #workspace: string
  readonly #parsed = new Map<string, unknown>()

  constructor(file: string, workspace: string) {
    this.#file = posix.normalize(file.replaceAll('\\', '/'))
    this.#workspace = workspace
    this.root = posix.dirname(this.#file)
  }

  /** The file itself; it is no other JSON. */
  read(): JsonObject & { readonly navigation: JsonObject } {
    const value = asObject(
      this.resolved({ value: this.#parse(this.#file), file: this.#file, chain: [] }).value,
    )
    const { navigation } = value
    if (basename(this.#file) === 'mint.json' || Array.isArray(navigation)) {
      const remedy = 'Run `npx mint broken-links`, which writes a `docs.json` beside it, and name that file.'
      throw this.fault('has the format that came before `docs.json`', remedy)
    }
    if (isObject(navigation)) return { ...value, navigation }
    throw this.fault('has no `navigation`', 'Name the `docs.json` of the docs.')
  }

  /** What stands there in place of a `$ref`, with the fields beside it. */
  resolved({ value, file, chain }: Value): Value {
    if (!isObject(value) || typeof value.$ref !== 'string') return { value, file, chain }
    const { $ref, ...beside } = value
    const target = posix.join(posix.dirname(file), $ref)
    if ([...chain, file].includes(target)) {
      throw this.fault(`leads back to ${codeSpan(target, 60)}`, 'Remove that `$ref`.')
    }
    const found = this.resolved({ value: this.#parse(target), file: target, chain: [...chain, file] })
    return isObject(found.value) ? { ...found, value: { ...found.value, ...beside } } : found
  }

  /** The text of a file of the docs; undefined where it cannot be read. */
  textIfAny(name: string): string | undefined {
    try {
      return this.#textOf(posix.join(this.root, name))
    } catch (error) {
      if (error instanceof BadInput) return undefined
      throw error
    }
  }

  fault(what: string, remedy: string): BadInput {
    return new BadInput(INPUT, `(${codeSpan(this.#file, 100)}) ${what}`, remedy)
  }

  #textOf(file: string): string {
    const { text, goesOn } = readWorkspaceFile(INPUT, file, this.#workspace, MOST_CHARACTERS)
    if (!goesOn) return text
    const fault = `(${codeSpan(file, 100)}) has more than ${grouped(MOST_CHARACTERS)} characters`
    throw new BadInput(INPUT, fault, 'Name a smaller file.')
  }

  #parse(file: string): unknown {
    if (this.#parsed.has(file)) return this.#parsed.get(file)
    const value = parseJson(this.#textOf(file))
    if (value === undefined) {
      throw new BadInput(INPUT, `(${codeSpan(file, 100)}) is not JSON`, 'Name the `docs.json` of the docs.')
    }
    this.#parsed.set(file, value)
    return value
  }
}
