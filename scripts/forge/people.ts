import { type Access, ForgeApi } from './api.ts'

/** Everybody who has an account, by what the stories call them. */
export const PEOPLE = {
  owner: 'octo',
  writer: 'alice',
  /** Writes as well, under a login that GitHub would not allow. */
  dotted: 'carol.smith',
  /** Reads only, as everybody does in a public repository. */
  stranger: 'mallory',
  /** Opens the agent's pull requests. */
  agent: 'docs-bot',
} as const

export type Role = keyof typeof PEOPLE
export type Tokens = Readonly<Record<Role, string>>

/** Creates the accounts, which all have the administrator's password. @returns their tokens */
export async function createPeople(admin: ForgeApi, access: Access, password: string): Promise<Tokens> {
  const create = async ([role, login]: [string, string]) => {
    await admin.post('/admin/users', {
      username: login,
      email: `${login}@example.com`,
      password,
      must_change_password: false,
    })
    const basic = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
    const { sha1 } = await new ForgeApi(access, basic).post<{ sha1: string }>(`/users/${login}/tokens`, {
      name: 'tests',
      scopes: ['all'],
    })
    return [role, sha1]
  }
  return Object.fromEntries(await Promise.all(Object.entries(PEOPLE).map(create)))
}
