import type { Permission as Level } from '../src/record/permission.ts'

/** Everyone who acts in the stories, with what GitHub says of them and the level that it amounts to. */
export const PEOPLE = {
  alice: { role: 'write', level: 'write' },
  bob: { role: 'admin', level: 'admin' },
  maya: { role: 'maintain', level: 'maintain' },
  tina: { role: 'triage', level: 'triage' },
  carol: { role: 'read', level: 'read' },
  mallory: { role: 'none', level: 'none' },
  // Of a custom role counts what it is built on.
  dora: { role: { permission: 'write', role_name: 'docs-team' }, level: 'write' },
  // Has left GitHub, so GitHub names no permission.
  ghost: { role: 'missing', level: '' },
} as const satisfies Readonly<Record<string, { role: unknown; level: Level | '' }>>

export type Person = keyof typeof PEOPLE

export const BOTS = ['renovate[bot]', 'dependabot[bot]', 'mintlify[bot]'] as const

const LEVELS: readonly string[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin']

/** Who may lose the permission to write in the middle of a story, and reads from then on. */
export const LEAVER: Person = 'dora'

/** Runs again what others asked. */
export const RE_RUNS: Person = 'alice'

/**
 * What the contract says of this login (3.3, 3.4), made without looking at how the action does it.
 * @param hasLeft the one who may lose it has lost it
 */
export function mayAsk(
  login: string,
  needs: string,
  allowedBots: readonly string[],
  hasLeft = false,
): boolean {
  if (login.endsWith('[bot]')) return allowedBots.includes(login)
  if (needs === 'none') return true
  const known: string = Object.hasOwn(PEOPLE, login) ? PEOPLE[login as Person].level : 'read'
  const level = hasLeft && login === LEAVER ? 'read' : known
  return level !== '' && rank(level) >= rank(needs)
}

/** Of two permissions the one that needs more. */
export const needsMore = (one: string, other: string): string => (rank(one) >= rank(other) ? one : other)

const rank = (level: string): number => LEVELS.indexOf(level)
