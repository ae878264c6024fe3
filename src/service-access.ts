import type { Core } from './core.ts'
import { BadInput } from './errors.ts'
import type { ServiceAccess } from './http/service.ts'
import { type GetInput, required } from './input-readers.ts'
import { isLoopback } from './link.ts'

export const DEFAULT_BASE_URL = 'https://api.mintlify.com'

/**
 * Masks the secrets before anything else happens with any input. The log shows lines, so each line of a secret is
 * masked on its own.
 * @returns the masked texts, for places where the runner masks nothing
 */
export function maskSecrets(core: Pick<Core, 'getInput' | 'setSecret'>): readonly string[] {
  const secrets = ['api-key', 'github-token']
    .flatMap((name) => core.getInput(name).split(/\s+/))
    .filter(Boolean)
  for (const secret of secrets) core.setSecret(secret)
  return secrets
}

/**
 * Where the service is and which project is meant. The key may be '' (see `requireKey`), and then the project too:
 * where GitHub withholds secrets it withholds repository variables as well.
 */
export function readAccess(input: GetInput): ServiceAccess {
  const apiKey = readKey(input)
  return {
    apiKey,
    projectId: apiKey === '' ? input('project-id') : readProject(input),
    baseUrl: readBaseUrl(input('base-url') || DEFAULT_BASE_URL),
  }
}

/** @throws {BadInput} when there is no key */
export function requireKey(access: ServiceAccess): void {
  if (access.apiKey !== '') return
  const project =
    access.projectId === '' ? ', and so does the variable of `project-id`, which is missing too' : ''
  throw new BadInput(
    'api-key',
    'is missing',
    `Make an admin key on the dashboard under Settings → API keys, add it as a repository secret (Settings → Secrets and variables → Actions) and pass it: \`api-key: $\{{ secrets.DOCS_AGENT_API_KEY }}\`. A secret that does not exist reads as empty${project}.`,
  )
}

function readKey(input: GetInput): string {
  const key = input('api-key')
  if (/^[\x21-\x7e]*$/.test(key)) return key
  throw new BadInput(
    'api-key',
    'holds white space, a control character or a character outside ASCII',
    'Store the key in the secret again, the key alone on one line.',
  )
}

const WHERE_PROJECT = 'Copy it from the dashboard under Settings → API keys'

function readProject(input: GetInput): string {
  const project = required(
    input,
    'project-id',
    `${WHERE_PROJECT}, add it as a repository variable (Settings → Secrets and variables → Actions → Variables) and pass it: \`project-id: $\{{ vars.DOCS_AGENT_PROJECT_ID }}\`.`,
  )
  if (/^(?!\.{1,2}$|https?:)[^\s\p{Cc}]{1,200}$/u.test(project)) return project
  const fault = /^https?:/.test(project) ? 'is a URL, not an id' : 'is not an id'
  throw new BadInput('project-id', fault, `${WHERE_PROJECT}, the id alone.`)
}

/** @returns the URL without a slash at its end, a path prefix kept */
function readBaseUrl(value: string): string {
  const refuse = (fault: string): never => {
    throw new BadInput('base-url', fault, `Write an https: URL such as \`${DEFAULT_BASE_URL}\`.`)
  }
  if (!URL.canParse(value)) return refuse('is not a URL')
  const url = new URL(value)
  if (url.username !== '' || url.password !== '') return refuse('holds credentials')
  if (/[?#]/.test(value)) return refuse('holds a query or a fragment')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(value))) {
    return refuse('is neither an https: URL nor http: on a loopback host')
  }
  return url.href.replace(/\/+$/, '')
}
