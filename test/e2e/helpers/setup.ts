import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { HOSTS } from './hosts.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder with what `uses: OWNER/docs-agent@v1` downloads. */
    readonly checkout: string
    readonly certificate: Certificate
  }
}

export interface Certificate {
  /** Path of the certificate, for NODE_EXTRA_CA_CERTS. */
  readonly file: string
  readonly cert: string
  readonly key: string
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PROGRAMS = {
  act: 'run `go install github.com/nektos/act@v0.2.89`, and put the folder bin of what `go env GOPATH` shows on the PATH',
  gh: 'install https://cli.github.com, which some examples run',
  jq: 'install https://jqlang.org, which an example runs',
}

/** What all runs share, once for all tests. */
export default function setup(project: TestProject): () => void {
  for (const [program, howToGet] of Object.entries(PROGRAMS)) {
    if (spawnSync(program, ['--version']).status === 0) continue
    process.stderr.write(`${program} is not on the PATH: ${howToGet}.\n`)
    process.exit(1)
  }
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-e2e-'))
  project.provide('checkout', download(join(folder, 'docs-agent')))
  project.provide('certificate', certify(folder))
  return () => rmSync(folder, { recursive: true, force: true })
}

/** The tracked files as they stand, as GitHub would pack them: what is ignored or left out of archives is missing. */
function download(to: string): string {
  if (!existsSync(join(ROOT, '.git'))) {
    // Such a download is what this checkout is.
    cpSync(ROOT, to, { recursive: true, filter: (path) => !path.endsWith('node_modules') })
    return to
  }
  const git = (args: string[], env: NodeJS.ProcessEnv = process.env) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', env }).trim()
  // Index and objects lie outside, so that a repository which nobody may write to can be packed as well.
  const objects = join(to, '..', 'objects')
  mkdirSync(objects)
  const outside = {
    ...process.env,
    GIT_INDEX_FILE: join(objects, 'index'),
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: git(['rev-parse', '--path-format=absolute', '--git-path', 'objects']),
  }
  git(['read-tree', 'HEAD'], outside)
  git(['add', '--update'], outside)
  const archive = `${to}.tar`
  const tree = git(['write-tree'], outside)
  git(['archive', '--format=tar', '--prefix=docs-agent/', `--output=${archive}`, tree], outside)
  execFileSync('tar', ['-xf', archive, '-C', join(to, '..')])
  return to
}

/** A certificate for the hosts that the action asks, which is its own authority, and a key that lives a day. */
function certify(folder: string): Certificate {
  const [file, key] = [join(folder, 'certificate.pem'), join(folder, 'private.pem')]
  const names = `subjectAltName=${HOSTS.map((host) => `DNS:${host}`).join(',')}`
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key]
  const request = ['req', '-x509', '-days', '1', '-subj', '/CN=docs-agent tests', '-addext', names]
  execFileSync('openssl', [...request, ...newKey, '-out', file], { stdio: 'pipe' })
  return { file, cert: readFileSync(file, 'utf8'), key: readFileSync(key, 'utf8') }
}
