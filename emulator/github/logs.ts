import type { operations } from '@octokit/openapi-types'
import { type EmulatedRequest, type EmulatedResponse, empty, text } from '../http.ts'
import type { Api, RepoHandler, RepoRoute } from './api.ts'
import { ACTIONS, type StartedCheck } from './checks.ts'
import { ApiError, notFound } from './errors.ts'

type Answers = operations['actions/download-job-logs-for-workflow-run']['responses']

/** How long a signed address is good, in ms. */
const GOOD_FOR_MS = 60_000

const jobLog: RepoHandler = ({ repo, links, settings, param }) => {
  const job = jobOf(repo.checks, param('id'))
  if (job === undefined || settings.now() < job.endsAt) throw notFound()
  if (job.log === null) throw new ApiError(410, 'Gone')
  const headers: Answers[302]['headers'] = {
    Location: `${links.storage}/logs/${repo.name}/${job.id}?expires=${settings.now() + GOOD_FOR_MS}`,
  }
  return { ...empty(302), headers: { location: headers.Location ?? '' } }
}

const jobOf = (checks: ReadonlyMap<string, readonly StartedCheck[]>, id: string): StartedCheck | undefined =>
  [...checks.values()]
    .flat()
    .find((check) => check.id === Number(id) && check.app === ACTIONS && (check.kind ?? 'run') === 'run')

/** The host that keeps logs: it goes by the address alone, refuses any other credentials, and gives parts. */
export function storedLog({ github, settings }: Api, request: EmulatedRequest): EmulatedResponse {
  const [, owner = '', name = '', id = ''] = /^\/logs\/([^/]+)\/([^/]+)\/(\d+)$/.exec(request.path) ?? []
  const job = jobOf(github.repository(`${owner}/${name}`)?.checks ?? new Map(), id)
  if (request.headers.authorization !== undefined) return text(400, 'Only one way to sign in can be used.')
  if (job === undefined || job.log === null) return text(404, 'The file is not there.')
  if (settings.now() > Number(request.query.get('expires')))
    return text(403, 'The address is no longer good.')
  const bytes = Buffer.from(job.log ?? logOf(job))
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  if (from === undefined) return text(200, bytes.toString())
  if (Number(from) >= bytes.length) return empty(416)
  const part = bytes.subarray(Number(from), Number(to) + 1)
  const range = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`
  const { headers, ...answer } = text(206, part.toString())
  return { ...answer, headers: { ...headers, 'content-range': range } }
}

/** What the runner writes for a job of one step. */
function logOf({ name, conclusion = 'success', startsAt }: StartedCheck): string {
  const isGood = conclusion === 'success'
  const lines = [
    ...['##[group]Run npm run check', '\x1b[36;1mnpm run check\x1b[0m'],
    ...['shell: /usr/bin/bash -e {0}', 'env:', '  CI: true', '##[endgroup]', `Checking ${name}`],
    ...(isGood ? [] : [`${name} found a problem`, '##[error]Process completed with exit code 1.']),
    'Cleaning up orphan processes',
  ]
  return lines.map((line) => `${new Date(startsAt).toISOString().replace('Z', '0000Z')} ${line}\n`).join('')
}

/** The logs of jobs of GitHub Actions. */
export const LOGS: readonly RepoRoute[] = [['GET', '/actions/jobs/:id/logs', ['actions'], jobLog]]
