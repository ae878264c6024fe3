import { asArray, asObject, asString, isObject, type JsonObject } from '../base/json.ts'
import { masked } from '../base/mask.ts'
import { joined, oneLine } from '../base/text.ts'
import { parseYaml } from '../base/yaml.ts'
import { docsFiles, isLink } from './docs-files.ts'
import { NavigationFiles } from './navigation-file.ts'
import { DEFAULT_DIRECTORY, type OperationPage, operationPages } from './openapi-pages.ts'
import { fromRoot, overlaidDescriptions } from './overlays.ts'
import { pageOfFile } from './page-path.ts'
import { type Redirects, redirectsOf } from './redirects.ts'

/** Where a page stands. Levels of one kind are joined, the outer one first; '' for none. */
export interface Place {
  /** Tabs, anchors, dropdowns, products and items of a menu. */
  readonly tab: string
  readonly group: string
  readonly language: string
  readonly version: string
}

export interface Navigation {
  /** By their names, in the order of the navigation. A page that stands twice has its first place. */
  readonly pages: ReadonlyMap<string, Place>
  /** Names of other pages and files that the docs have. */
  readonly others: ReadonlySet<string>
  readonly redirects: Redirects
  /** What makes pages that are not known by name, such as `https://…/openapi.json`. */
  readonly unknown: readonly string[]
}

/** An entry of a list. */
interface Level {
  /** The fields that name it, the first one that is there. */
  readonly names: readonly string[]
  readonly column: keyof Place
  /** The lists that it can hold, of which the first one that is there counts. */
  readonly lists: readonly string[]
}

const words = (text: string): readonly string[] => text.split(' ')

const levelOf = (column: keyof Place, names: string, lists: string): Level => ({
  column,
  names: words(names),
  lists: words(lists),
})

/** By the list that an entry stands in (`@mintlify/validation` 0.1.878). */
const LEVELS: ReadonlyMap<string, Level> = new Map([
  ['products', levelOf('tab', 'name product', 'languages versions tabs anchors dropdowns groups pages menu')],
  ['languages', levelOf('language', 'language', 'versions tabs dropdowns anchors products groups pages')],
  ['versions', levelOf('version', 'version', 'languages tabs dropdowns anchors products groups pages')],
  ['tabs', levelOf('tab', 'tab', 'languages versions dropdowns anchors products groups pages menu')],
  ['menu', levelOf('tab', 'item', 'languages versions dropdowns anchors products tabs groups pages')],
  ['dropdowns', levelOf('tab', 'dropdown', 'languages versions tabs anchors products groups pages')],
  ['anchors', levelOf('tab', 'anchor', 'languages versions dropdowns tabs products groups pages')],
  ['groups', levelOf('group', 'group', 'pages')],
  ['pages', levelOf('group', 'group', 'pages')],
])

const ROOT = words('products languages versions tabs dropdowns anchors groups pages')

const NOWHERE: Place = { tab: '', group: '', language: '', version: '' }
export const JOINT = ' › '

/** @throws {BadInput} where a file cannot be read, or is no navigation */
export async function readNavigation(file: string, workspace: string): Promise<Navigation> {
  const files = new NavigationFiles(file, workspace)
  const docs = files.read()
  const all = [...docsFiles(workspace, files.root)]
  const walk = new Walk(files, await overlaidDescriptions(docs, all, files))
  await walk.node(docs.navigation, { place: NOWHERE, inherited: undefined, isNamed: false, lists: ROOT })
  const { pages, hidden, unknown } = walk
  const others = new Set(hidden)
  for (const { page, path } of all) {
    others.add(page)
    if (pages.has(page) && isLink(path)) pages.delete(page)
  }
  return { pages, others, redirects: redirectsOf(docs.redirects), unknown: [...unknown] }
}

/** The OpenAPI description that operations below a node belong to. */
interface Description {
  readonly source: string
  readonly directory: string
  /** A page below names one of its operations, so the others have no page. */
  isPicked: boolean
}

interface Here {
  readonly place: Place
  readonly inherited: Description | undefined
  /** Only what has a name gets pages from a description. */
  readonly isNamed: boolean
  readonly lists: readonly string[]
}

class Walk {
  readonly pages = new Map<string, Place>()
  readonly hidden = new Set<string>()
  readonly unknown = new Set<string>()
  readonly #files: NavigationFiles
  readonly #overlaid: ReadonlySet<string>
  /** By file and directory. */
  readonly #operationsOf = new Map<string, readonly OperationPage[]>()

  constructor(files: NavigationFiles, overlaid: ReadonlySet<string>) {
    this.#files = files
    this.#overlaid = overlaid
  }

  async node(node: JsonObject, { place, inherited, isNamed, lists }: Here): Promise<void> {
    if (typeof node.sourceRef === 'string') this.unknown.add(node.sourceRef)
    this.#addUnknown(node)
    const own = descriptionOf(node)
    const here = { place, inherited: own ?? inherited }
    if (typeof node.root === 'string') await this.#page(node.root, place, here.inherited)
    const { entries, inside } = listOf(node, lists)
    for (const entry of entries) {
      if (typeof entry === 'string') await this.#page(entry, place, here.inherited)
      else if (isObject(entry) && inside !== undefined) await this.#entry(entry, here, inside)
    }
    if (own !== undefined && isNamed && !own.isPicked) await this.#allOf(own, node, place)
  }

  async #entry(node: JsonObject, here: Omit<Here, 'isNamed' | 'lists'>, { names, column, lists }: Level) {
    const title = shown(names.map((name) => asString(node[name])).find(Boolean) ?? '')
    const place = { ...here.place, [column]: joined(JOINT, here.place[column], title) }
    await this.node(node, { ...here, place, isNamed: title !== '', lists })
  }

  async #page(text: string, place: Place, inherited: Description | undefined): Promise<void> {
    const [, source, method = '', endpoint = ''] = OPERATION.exec(text.trim()) ?? []
    if (method === '') {
      // Links to other sites stand among pages, too.
      if (!/^[a-z]+:\/\//i.test(text)) this.#add(pageOfFile(text), place)
      return
    }
    const description =
      source === undefined ? inherited : { source, directory: inherited?.directory ?? DEFAULT_DIRECTORY }
    if (description === undefined) {
      this.unknown.add(text)
      return
    }
    if (source === undefined && inherited !== undefined) inherited.isPicked = true
    const wanted = method.toLowerCase()
    const all = await this.#operations(description.source, description.directory)
    const pages = all.filter((one) => one.method === wanted)
    const exact = pages.find((one) => one.endpoint === endpoint)
    const page = exact ?? pages.find((one) => isSame(one.endpoint, endpoint))
    if (page !== undefined) this.#add(pageOfFile(page.namedFile), place)
  }

  async #allOf({ source, directory }: Description, node: JsonObject, place: Place): Promise<void> {
    for (const { file, group, isHidden } of await this.#operations(source, directory)) {
      if (isHidden) this.hidden.add(pageOfFile(file))
      else this.#add(pageOfFile(file), { ...place, group: joined(JOINT, place.group, shown(group)) })
    }
    if (asArray(node.openapi).length > 1) this.unknown.add('the second entry of openapi')
  }

  /** None where the description is no file of the docs, or an overlay changes it. */
  async #operations(source: string, directory: string): Promise<readonly OperationPage[]> {
    const key = JSON.stringify([source, directory])
    const known = this.#operationsOf.get(key)
    if (known !== undefined) return known
    const description = await this.#description(source)
    if (description === undefined) this.unknown.add(source)
    const pages = description === undefined ? [] : operationPages(description, directory)
    this.#operationsOf.set(key, pages)
    return pages
  }

  async #description(source: string): Promise<JsonObject | undefined> {
    const isElsewhere = /^[a-z]+:\/\//i.test(source) || this.#overlaid.has(fromRoot(source))
    const text = isElsewhere ? undefined : this.#files.textIfAny(source)
    const value = text === undefined ? undefined : await parseYaml(text)
    return isObject(value) ? value : undefined
  }

  #addUnknown(node: JsonObject): void {
    const makers = node.openapi === undefined ? ['asyncapi', 'graphql', 'sdk'] : ['graphql', 'sdk']
    for (const maker of makers) if (node[maker] !== undefined) this.unknown.add(maker)
  }

  #add(page: string, place: Place): void {
    if (!this.pages.has(page)) this.pages.set(page, place)
  }
}

/** A link has no list. The provider drops all lists but one without a word. */
function listOf({ href, ...node }: JsonObject, lists: readonly string[]) {
  const [field] = href === undefined ? lists.filter((name) => asArray(node[name]).length > 0) : []
  return field === undefined
    ? { entries: [], inside: undefined }
    : { entries: asArray(node[field]), inside: LEVELS.get(field) }
}

/** `GET /users`, or with a file before it. */
const OPERATION = /^(?:(\S+)\s+)?(get|put|post|delete|options|head|patch|trace|query|webhook)\s+(\S+)$/i

/** A description writes an endpoint with a slash at its end, or without. */
const isSame = (one: string, other: string): boolean => one.replace(/\/$/, '') === other.replace(/\/$/, '')

/** The first entry alone makes pages. */
function descriptionOf({ openapi }: JsonObject): Description | undefined {
  const first = Array.isArray(openapi) ? openapi[0] : openapi
  const source = typeof first === 'string' ? first : asString(asObject(first).source)
  const directory = asString(asObject(first).directory) || DEFAULT_DIRECTORY
  return source === '' ? undefined : { source: source.trim(), directory, isPicked: false }
}

/** Characters of the name of a level. */
const MOST_SHOWN = 100

const shown = (name: string): string => oneLine(masked(name), MOST_SHOWN)
