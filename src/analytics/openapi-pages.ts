import { posix } from 'node:path'
import { asArray, asObject, asString, type JsonObject } from '../base/json.ts'

/** A page that the provider makes of an operation. */
export interface OperationPage {
  /** In lower case; `webhook` for one. */
  readonly method: string
  /** Of the operation, as the description writes it. */
  readonly endpoint: string
  /** The page's file from the root of the docs, without an extension, where each operation has a page. */
  readonly file: string
  /** The same where the navigation names the operation: two of one name then share a page. */
  readonly namedFile: string
  /** The group that its tag makes. */
  readonly group: string
  /** It has a page, which the navigation does not show. */
  readonly isHidden: boolean
}

/** In the order in which their pages get names. */
const METHODS: readonly string[] = 'get put post delete options head patch trace query'.split(' ')

/** Where pages lie unless `directory` says otherwise, and their group unless a tag does. */
export const DEFAULT_DIRECTORY = 'api-reference'
const DEFAULT_GROUP = 'API Reference'

/**
 * The pages of an OpenAPI description, in its order, as the provider's tools name them: the directory, the first tag, and the
 * summary, or the method and the path where there is none (`@mintlify/scraping` 4.0.1081, `openapi/common`).
 */
export function operationPages(description: JsonObject, directory: string): readonly OperationPage[] {
  const taken = new Map<string, Set<string>>()
  return operationsOf(description).map(({ method, endpoint, operation }) => {
    const tag = tagOf(operation, description)
    const group = tag === '' ? DEFAULT_GROUP : groupOf(tag, description)
    const file = fileOf(operation, { method, endpoint, tag, directory }).toLowerCase()
    const names = taken.get(group) ?? new Set()
    taken.set(group, names)
    const isHidden = operation['x-hidden'] === true
    const unique = firstFree(file, names)
    if (!isHidden) names.add(unique)
    const namedFile = hasKinds(description) ? unique : file
    return { method, endpoint, file: unique, namedFile, group, isHidden }
  })
}

interface Operation {
  readonly method: string
  readonly endpoint: string
  readonly operation: JsonObject
}

function operationsOf(description: JsonObject): readonly Operation[] {
  const listed = (items: unknown) =>
    Object.entries(asObject(items)).flatMap(([endpoint, given]) => {
      const item = pathItem(given, description)
      const methods = METHODS.filter((method) => method in item)
      return methods.map((method) => ({ method, endpoint, operation: asObject(item[method]) }))
    })
  const webhooks = listed(description.webhooks).map((webhook) => ({ ...webhook, method: 'webhook' }))
  return [...listed(description.paths), ...webhooks].filter(
    ({ operation }) => operation['x-excluded'] !== true,
  )
}

/** A reference leads to the components of the same description, one step. */
function pathItem(item: unknown, { components }: JsonObject): JsonObject {
  const given = asObject(item)
  const [, name] = /^#\/components\/pathItems\/([^/]+)$/.exec(asString(given.$ref)) ?? []
  return name === undefined
    ? given
    : { ...asObject(asObject(asObject(components).pathItems)[name]), ...given }
}

/** Since OpenAPI 3.2 tags have kinds: the first that is for navigation, else without a kind, else undeclared. */
function tagOf({ tags }: JsonObject, description: JsonObject): string {
  const names = asArray(tags).map(asString)
  if (!hasKinds(description)) return names[0] ?? ''
  const rank = (name: string): number => {
    const tag = declared(name, description)
    return tag === undefined ? 2 : tag.kind === undefined ? 1 : tag.kind === 'nav' ? 0 : 3
  }
  return names.filter((name) => rank(name) < 3).toSorted((a, b) => rank(a) - rank(b))[0] ?? ''
}

const groupOf = (tag: string, description: JsonObject): string => {
  const { 'x-group': group, summary } = declared(tag, description) ?? {}
  return asString(group) || (hasKinds(description) ? asString(summary) : '') || tag
}

const hasKinds = ({ openapi }: JsonObject): boolean => asString(openapi).startsWith('3.2')

const declared = (name: string, { tags }: JsonObject): JsonObject | undefined =>
  asArray(tags)
    .map(asObject)
    .find((tag) => tag.name === name)

interface FileParts {
  readonly method: string
  readonly endpoint: string
  readonly tag: string
  readonly directory: string
}

function fileOf(operation: JsonObject, { method, endpoint, tag, directory }: FileParts): string {
  const href = asString(asObject(operation['x-mint']).href)
  // What follows a last dot counts as an extension.
  if (href !== '') return href.replace(/^\//, '').replace(/(?<=[^/])\.[^./]*$/, '')
  const prefix = method === 'webhook' ? '' : `${method}-`
  const title = fileName(asString(operation.summary)) ?? `${prefix}${fileName(endpoint) ?? ''}`
  return posix.join(directory, fileName(tag) ?? '', title)
}

/** Undefined for no text at all. */
function fileName(text: string): string | undefined {
  if (text === '') return undefined
  return text
    .replaceAll(' ', '-')
    .replace(/\{[^\n}]*\}/g, '-')
    .replace(/^-|-$/g, '')
    .replace(/[{}(),.'\n/]/g, '')
    .replaceAll('--', '-')
    .toLowerCase()
}

function firstFree(name: string, taken: ReadonlySet<string>): string {
  for (let nth = 0; ; nth++) {
    const candidate = nth === 0 ? name : `${name}-${nth}`
    if (!taken.has(candidate)) return candidate
  }
}
