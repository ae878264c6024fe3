import { basename, posix } from 'node:path'
import { BadInput } from '../base/errors.ts'
import { asObject, isObject, type JsonObject, parseJson } from '../base/json.ts'
import { codeSpan, grouped } from '../base/text.ts'
import { readWorkspaceFile } from '../inputs/workspace-file.ts'

const INPUT = 'navigation-file'
const NAME = 'Name the `docs.json` of the docs.'
/** Characters of each file that is read. */
const MOST_CHARACTERS = 10_000_000

/** Where the references of a value begin. */
interface Origin {
  /** From the workspace. */
  readonly file: string
  /** The files that led here, the first one first. */
  readonly chain: readonly string[]
}

/** Objects and lists in each other, and entries in all: a file of JSON can hold more than a run has room for. */
const MOST_LEVELS = 50
const MOST_DEPTH = 2 * MOST_LEVELS
const MOST_ENTRIES = 100_000

/** `docs.json` and the files that it names. @throws {BadInput} from each method */
export class NavigationFiles {
  readonly root: string
  readonly #file: string
  readonly #workspace: string
  readonly #parsed = new Map<string, unknown>()
  #entries = 0

  constructor(file: string, workspace: string) {
    this.#file = posix.normalize(file.replaceAll('\\', '/'))
    this.#workspace = workspace
    this.root = posix.dirname(this.#file)
  }

  /** The file itself, with what its references name in their place; it is no other JSON. */
  read(): JsonObject & { readonly navigation: JsonObject } {
    const value = asObject(this.#whole(this.#parse(this.#file), { file: this.#file, chain: [] }, 0))
    const { navigation } = value
    if (basename(this.#file) === 'mint.json' || Array.isArray(navigation)) {
      const remedy = 'Run `npx mint broken-links`, which writes a `docs.json` beside it, and name that file.'
      throw this.#fault('has the format that came before `docs.json`', remedy)
    }
    if (isObject(navigation)) return { ...value, navigation }
    throw this.#fault('has no `navigation`', NAME)
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

  /** Fields beside a `$ref` come before those of the file that it names; their own references begin where they stand. */
  #whole(value: unknown, from: Origin, depth: number): unknown {
    if (!isObject(value) && !Array.isArray(value)) return value
    this.#entries += isObject(value) ? 1 : value.filter((entry) => !isObject(entry)).length
    if (depth > MOST_DEPTH) throw this.#fault(`is nested more than ${MOST_LEVELS} deep`, NAME)
    if (this.#entries > MOST_ENTRIES)
      throw this.#fault(`has more than ${grouped(MOST_ENTRIES)} entries`, NAME)
    const inside = (one: unknown): unknown => this.#whole(one, from, depth + 1)
    if (!isObject(value)) return value.map(inside)
    const { $ref, ...beside } = value
    const found = typeof $ref === 'string' ? this.#named($ref, from, depth) : {}
    if (!isObject(found)) return found
    const fields = Object.entries(beside).map(([name, one]) => [name, inside(one)])
    return { ...found, ...Object.fromEntries(fields) }
  }

  #named(reference: string, { file, chain }: Origin, depth: number): unknown {
    const target = posix.join(posix.dirname(file), reference.replaceAll('\\', '/'))
    const files = [...chain, file]
    if (!files.includes(target))
      return this.#whole(this.#parse(target), { file: target, chain: files }, depth + 1)
    throw this.#fault(`leads back to ${codeSpan(target, 60)}`, 'Remove that `$ref`.')
  }

  #fault(what: string, remedy: string): BadInput {
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
      throw new BadInput(INPUT, `(${codeSpan(file, 100)}) is not JSON`, NAME)
    }
    this.#parsed.set(file, value)
    return value
  }
}
