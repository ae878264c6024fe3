import { parseJson } from '../base/json.ts'

/** A description in JSON or YAML; undefined where it is neither. */
export async function parseYaml(text: string): Promise<unknown> {
  if (/^\s*\{/.test(text)) return parseJson(text)
  // It takes longer to load than to read most descriptions.
  const { parse } = await import(/* webpackMode: "eager" */ 'yaml')
  try {
    return parse(text, { merge: true, logLevel: 'error' })
  } catch {
    return undefined
  }
}
