import { ApiError } from './errors.ts'

/** Answer of GitHub about a person's access: `role_name` may be a custom role. */
export interface Permission {
  readonly permission: 'admin' | 'write' | 'read' | 'none'
  readonly role_name: string
}

const ROLES: Readonly<Record<string, Permission['permission']>> = {
  admin: 'admin',
  maintain: 'write',
  write: 'write',
  triage: 'read',
  read: 'read',
  none: 'none',
}

/** Who may do what on every repository. Logins are compared without regard to case, as on GitHub. */
export class Access {
  /** Slugs of the teams that can be asked for a review. */
  readonly teams = new Set<string>()
  readonly #known = new Map<string, string | Permission>()

  /** A built-in role by name, or any pair; `missing` for a login that is nobody's. */
  set(login: string, permission: string | Permission): void {
    this.#known.set(login.toLowerCase(), permission)
  }

  /** Everyone not set can read. Throws GitHub's 404 for a login that is nobody's. */
  of(login: string): Permission {
    const known = this.#known.get(login.toLowerCase()) ?? 'read'
    if (known === 'missing') throw new ApiError(404, `${login} is not a user`)
    return typeof known === 'string' ? { permission: ROLES[known] ?? 'none', role_name: known } : known
  }

  /** Only those set are; that everyone can read makes no collaborators. */
  isCollaborator(login: string): boolean {
    const known = this.#known.get(login.toLowerCase()) ?? 'missing'
    return known !== 'missing' && this.of(login).permission !== 'none'
  }
}
