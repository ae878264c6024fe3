import { codeSpan } from '../base/text.ts'
import type { ServiceAccess } from '../http/service.ts'

export const KEYS = "Mintlify's dashboard under Settings → API keys"

export const KEY_SECRET =
  'the GitHub secret behind `api-key` (Settings → Secrets and variables → Actions; the examples name it `MINTLIFY_API_KEY`)'

const store = (kind: string): string => `make ${kind} in ${KEYS}, and store it in ${KEY_SECRET}.`

export const RENEWAL = `The API key is wrong or has expired: ${store('a new admin key')}`

export const SCOPE = `The key lacks a scope: ${store('an admin key with write scope')}`

export const ALLOWLIST = `The key's IP allowlist leaves this runner out, and GitHub-hosted runners have no fixed address: ${store('an admin key without a list')}`

/** Two other kinds of key look much alike. The prefix is a hint, never a condition. */
const OTHER_KEYS: Readonly<Record<string, string>> = { mint_dsc_: 'an assistant', mint_us_: 'an index' }

export function keyHint({ apiKey }: Pick<ServiceAccess, 'apiKey'>): string {
  const [prefix, kind] = Object.entries(OTHER_KEYS).find(([start]) => apiKey.startsWith(start)) ?? []
  if (prefix === undefined) return ''
  return `The key begins with ${codeSpan(prefix)} like ${kind} key, which cannot do this: ${store('an admin key')}`
}
