/** Also as a regular expression spells it. */
const PLACEHOLDER = /\bOWNER(?=\\?\/docs-agent\b)/g

/** What explains the placeholder, and goes with it. */
const EXPLANATION = /<!-- placeholder -->\n[\s\S]*?<!-- end of placeholder -->\n/g

/** https://docs.github.com/enterprise-cloud@latest/admin/concepts/identity-and-access-management/username-considerations */
export const isOwner = (name: string): boolean => /^[a-z\d](?:-?[a-z\d]){0,38}$/i.test(name)

/** The text with the owner of the repository in place of the placeholder. */
export const withOwner = (text: string, owner: string): string =>
  text.replace(EXPLANATION, '').replace(PLACEHOLDER, owner)
