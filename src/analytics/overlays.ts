import { posix } from 'node:path'
import { asObject, asString, isObject, type JsonObject } from '../base/json.ts'
import { parseYaml } from '../base/yaml.ts'
import { type DocsFile, startOf } from './docs-files.ts'
import type { NavigationFiles } from './navigation-file.ts'

/** A path from the root of the docs, however it is written. */
export const fromRoot = (path: string): string => posix.join('/', path)

/**
 * The descriptions that overlays change, and with them the names of pages. An overlay changes what its `extends` names, wherever
 * it lies, unless `docs.json` lists the `overlays` of that description (`@mintlify/common` 1.0.1182, `openapi/overlay`).
 */
export async function overlaidDescriptions(
  docs: JsonObject,
  all: readonly DocsFile[],
  files: NavigationFiles,
): Promise<ReadonlySet<string>> {
  const overlaid = new Set<string>()
  for (const { name, path } of all) {
    if (!/\.(?:json|ya?ml)$/.test(name) || !startOf(path).includes('overlay')) continue
    const overlay = asObject(await parseYaml(files.textIfAny(name) ?? ''))
    const changed = asString(overlay.extends)
    if (!('overlay' in overlay) || changed === '') continue
    overlaid.add(fromRoot(changed.startsWith('/') ? changed : posix.join(posix.dirname(name), changed)))
  }
  for (const { source, overlays } of descriptionsIn(docs)) {
    if (!Array.isArray(overlays)) continue
    if (overlays.length > 0) overlaid.add(fromRoot(asString(source)))
    else overlaid.delete(fromRoot(asString(source)))
  }
  return overlaid
}

function* descriptionsIn(value: unknown): Generator<JsonObject> {
  if (isObject(value)) yield* [value.openapi].flat().filter(isObject)
  for (const one of Array.isArray(value) || isObject(value) ? Object.values(value) : [])
    yield* descriptionsIn(one)
}
