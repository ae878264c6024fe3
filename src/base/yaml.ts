import { parseJson } from './json.ts'

/** A description in JSON or YAML; undefined where it is neither. */
export async function parseYaml(text: string): Promise<unknown> {
  if (/^\s*\{/.test(text)) return parseJson(text)
  const { load } = await import(/* webpackMode: "eager" */ 'js-yaml')
  try {
    return load(text)
  } catch {
    return undefined
  }
}
