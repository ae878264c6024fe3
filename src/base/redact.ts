import type { Core, Deps, MaskedDeps } from './deps.ts'

/**
 * Masks the secrets before anything else. The runner knows them as they are, line by line; what a server echoes in
 * another spelling, or cut, is removed here from all that the step writes.
 */
export function maskSecrets<Given extends Pick<Deps, 'core'>>(
  deps: Given,
): Given & Pick<MaskedDeps, 'secrets'> {
  const { core } = deps
  const names = ['api-key', 'memory-key', 'github-token']
  const lines = names.flatMap((name) => core.getInput(name).split(/[\r\n]+/))
  const secrets = lines.map((line) => line.trim()).filter(Boolean)
  for (const secret of secrets) core.setSecret(secret)
  const shown = (text: string) => redact(text, secrets)
  const masked: Core = {
    ...core,
    info: (line) => core.info(shown(line)),
    debug: (message) => core.debug(shown(message)),
    warning: (message) => core.warning(shown(message)),
    error: (message) => core.error(shown(message)),
    setFailed: (message) => core.setFailed(shown(message)),
    setOutput: (name, value) => core.setOutput(name, shown(value)),
    saveState: (name, value) => core.saveState(name, shown(value)),
    setSummary: (markdown) => core.setSummary(shown(markdown)),
  }
  return { ...deps, core: masked, secrets }
}

/** A shorter secret is only removed as it is: its other spellings would stand in ordinary text. */
const LEAST_LENGTH = 6

/** The text with `***` in place of each secret. JSON stays JSON. */
export function redact(text: string, secrets: readonly string[]): string {
  // The longest first: a secret may hold another one.
  const longestFirst = secrets.filter(Boolean).toSorted((a, b) => b.length - a.length)
  return longestFirst.reduce((rest, secret) => {
    const pattern = patterns.get(secret) ?? patternOf(secret)
    patterns.set(secret, pattern)
    return rest.replace(pattern, '***')
  }, text)
}

/** Each takes longer to make than to use, and a step has three secrets at most. */
const patterns = new Map<string, RegExp>()

/** Standard, or safe in URLs. */
const BASE64_SIGNS: ReadonlyMap<string, string> = new Map([
  ['+', '[+-]'],
  ['/', '[/_]'],
])

function patternOf(secret: string): RegExp {
  if (secret.length < LEAST_LENGTH) return new RegExp(Array.from(secret, literal).join(''), 'g')
  const bytes = Buffer.from(secret)
  // What base64 makes of it, wherever it begins in a longer text, without what its neighbours decide.
  const base64 = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const decided = Math.floor(((before + bytes.length) * 8) / 6)
    return encoded.slice(before === 0 ? 0 : before + 1, decided)
  })
  const spelled = [
    Array.from(secret, spellings),
    ...base64.map((core) => Array.from(core, (character) => BASE64_SIGNS.get(character) ?? character)),
  ]
  // Texts are cut before they are searched, and what is left of a secret stands before the mark of the cut.
  const isCut = `[^\\s"'\`]{0,${6 * secret.length}}(?=…|\\n\\[cut)`
  const forms = spelled.map((characters) => {
    const [start, rest] = [characters.slice(0, LEAST_LENGTH), characters.slice(LEAST_LENGTH)]
    return `${start.join('')}(?:${rest.join('')}|${isCut})`
  })
  return new RegExp(forms.join('|'), 'g')
}

const literal = (character: string): string => character.replace(/[^\w\s]/, '\\$&')

/** A character as it is, percent-encoded, or as a JSON escape. Keys and tokens are ASCII. */
function spellings(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
  const plain = `${/["\\/]/.test(character) ? '\\\\?' : ''}${literal(character)}`
  return `(?:${plain}|%${anyCase.padStart(2, '0')}|\\\\{1,2}u${'0'.repeat(Math.max(0, 4 - hex.length))}${anyCase})`
}
