/** Where requests go when a workflow says nothing else, and the server that enterprise-server.yml names. */
export const SERVICE = 'api.mintlify.com'
export const GITHUB = 'api.github.com'
export const ENTERPRISE = 'github.example.com'
export const HOSTS = [SERVICE, GITHUB, ENTERPRISE]
