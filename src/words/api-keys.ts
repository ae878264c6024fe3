import { codeSpan } from '../base/text.ts'
import type { ServiceAccess } from '../http/service.ts'
import { KEEP_THREADS } from './phrases.ts'

export const KEYS = "Mintlify's dashboard under Settings → API keys"

export const KEY_SECRET =
  'the GitHub secret behind `api-key` (Settings → Secrets and variables → Actions; the examples name it `MINTLIFY_API_KEY`)'

/** Overwriting the secret of a key that signs what threads remember would make them start over. @param kind of key */
function newKey({ apiKey, memoryKey }: ServiceAccess, kind: string): string {
  const hasOwnMemory = memoryKey !== '' && memoryKey !== apiKey
  const memory = hasOwnMemory
    ? ''
    : ` Before you overwrite that secret, keep the old key as \`memory-key\`, or [threads forget their jobs](${KEEP_THREADS}).`
  return `make ${kind} in ${KEYS}, and store it in ${KEY_SECRET}.${memory}`
}

export const renewal = (access: ServiceAccess): string =>
  `The API key is wrong or has expired: ${newKey(access, 'a new admin key')}`

export const scope = (access: ServiceAccess): string =>
  `The key lacks a scope: ${newKey(access, 'an admin key with write scope')}`

export const allowlist = (access: ServiceAccess): string =>
  `The key's IP allowlist leaves this runner out, and GitHub-hosted runners have no fixed address: ${newKey(access, 'an admin key without a list')}`

/** Two other kinds of key look much alike. The prefix is a hint, never a condition. */
const OTHER_KEYS: Readonly<Record<string, string>> = { mint_dsc_: 'an assistant', mint_us_: 'an index' }

export function keyHint(access: ServiceAccess): string {
  const [prefix, kind] = Object.entries(OTHER_KEYS).find(([start]) => access.apiKey.startsWith(start)) ?? []
  if (prefix === undefined) return ''
  return `The key begins with ${codeSpan(prefix)} like ${kind} key, which cannot do this: ${newKey(access, 'an admin key')}`
}
