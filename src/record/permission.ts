/** What GitHub lets people do in a repository, from least to most. */
export const PERMISSIONS = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const
export type Permission = (typeof PERMISSIONS)[number]

export const suffices = (has: Permission, needs: Permission): boolean =>
  PERMISSIONS.indexOf(has) >= PERMISSIONS.indexOf(needs)
