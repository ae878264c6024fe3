import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { readNavigation } from '../../src/analytics/navigation.ts'
import { pageOfFile } from '../../src/analytics/page-path.ts'
import { asArray, asObject, asString, isObject } from '../../src/base/json.ts'
import { folder } from '../helpers/analytics.ts'
import { docsJson, OPENAPI, SHAPES } from '../helpers/navigations.ts'

/** The provider's own packages, where `.ci/run` installs them. */
const { resolve } = createRequire(join(process.env.TOOLS ?? '.', 'packages', 'package.json'))
const load = async (name: string) => asObject(await import(pathToFileURL(resolve(name)).href))

/** A function of a package. */
async function functionOf(name: string, field: string): Promise<(...given: unknown[]) => unknown> {
  const { [field]: found } = await load(name)
  if (typeof found === 'function') return (...given) => found(...given)
  throw new Error(`${name} has no ${field}`)
}

async function pagesOf(files: Readonly<Record<string, unknown>>) {
  const workspace = folder()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(workspace, { recursive: true })
    writeFileSync(join(workspace, name), JSON.stringify(content))
  }
  return (await readNavigation('docs.json', workspace)).pages
}

test.each(Object.entries(SHAPES))(
  '7.7 the provider takes a navigation of %s, and reads the same pages and places from it',
  async (_, { navigation }) => {
    const validate = await functionOf('@mintlify/validation', 'validateDocsConfig')
    const { success, data } = asObject(validate(docsJson(navigation)))
    expect(success).toBe(true)
    const toTree = await functionOf('@mintlify/validation', 'docsConfigToNavigationTree')
    const nodes = asArray(toTree(structuredClone(asObject(data).navigation))).map(asObject)
    const byId = new Map(nodes.map((node) => [node.id, node]))
    const levelsOf = (id: unknown): string[] => {
      const node = byId.get(id)
      return node === undefined ? [] : [...levelsOf(node.parent), asString(node.text)]
    }
    const named = nodes.flatMap((node) => {
      const { href, root } = asObject(node.data)
      if (node.type === 'page')
        return [[pageOfFile(asString(href)), levelsOf(node.parent).join('|')] as const]
      return typeof root === 'string' ? [[pageOfFile(root), levelsOf(node.id).join('|')] as const] : []
    })
    // A page that stands twice counts in its first place.
    const expected = new Map(named.toReversed())
    const found = [...(await pagesOf({ 'docs.json': docsJson(navigation) }))].map(
      ([page, { version, language, tab, group }]) =>
        [
          page,
          [version, language, tab, group].flatMap((level) => level.split(' › ')).filter(Boolean),
        ] as const,
    )
    expect(new Map(found.map(([page, levels]) => [page, levels.toSorted().join('|')]))).toEqual(
      new Map(
        [...expected].map(([page, levels]) => [page, levels.split('|').filter(Boolean).toSorted().join('|')]),
      ),
    )
  },
)

test('7.7 the pages of an OpenAPI description have the names that the provider gives them', async () => {
  const generate = await functionOf('@mintlify/scraping', 'generateOpenApiPagesForDocsConfig')
  const options = { openApiFilePath: '/openapi.json', outDir: 'api-reference', writeFiles: false }
  const { nav } = asObject(await generate(structuredClone(OPENAPI), options))
  const pages = asArray(nav).flatMap((entry): readonly (readonly [string, string])[] =>
    isObject(entry)
      ? asArray(entry.pages).map((page) => [pageOfFile(asString(page)), asString(entry.group)] as const)
      : [[pageOfFile(asString(entry)), ''] as const],
  )
  const found = await pagesOf({
    'docs.json': docsJson({ tabs: [{ tab: 'API', openapi: 'openapi.json' }] }),
    'openapi.json': OPENAPI,
  })
  expect(new Map([...found].map(([page, { group }]) => [page, group]))).toEqual(new Map(pages))
})
