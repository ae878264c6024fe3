/** Where requests go when a workflow says nothing else. */
export const SERVICE = 'api.mintlify.com'
export const GITHUB = 'api.github.com'
export const HOSTS = [SERVICE, GITHUB]
