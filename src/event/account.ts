import { asObject } from '../json.ts'

export interface Account {
  /** Bots of GitHub end in `[bot]`; names on Gitea may hold dots. */
  readonly login: string
  readonly bot: boolean
}

/** Of a job's token on Gitea and Forgejo, which say of no account what type it has. */
const ACTIONS_USER_ID = -2

const LOGIN = /^[\w.-]{1,100}(\[bot\])?$/

/** Undefined for an account that cannot be read. */
export function parseAccount(value: unknown): Account | undefined {
  const { id, login, type } = asObject(value)
  if (typeof login !== 'string' || !LOGIN.test(login)) return undefined
  return { login, bot: type === 'Bot' || login.endsWith('[bot]') || id === ACTIONS_USER_ID }
}

/** From least to most. */
export const PERMISSIONS = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const
export type Permission = (typeof PERMISSIONS)[number]
