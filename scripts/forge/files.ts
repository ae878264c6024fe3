import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Who the instance runs as; without fields, who runs the tests. */
export interface Account {
  readonly uid?: number
  readonly gid?: number
}

/** Gitea refuses to run as root, so that root hands it to `nobody`. */
export function unprivileged(): Account {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) =>
    Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout) || 65_534
  return { uid: idOf('-u'), gid: idOf('-g') }
}

export interface Folder {
  readonly path: string
  /** A folder in it that the account owns. @returns its path */
  directory(name: string): string
  /** A file in it that the account owns. @returns its path */
  file(name: string, text: string): string
  /** A program in it, which the account may run wherever the original lies. @returns its path */
  program(name: string, original: string): string
}

/** A temporary folder of the account. */
export function folderOf({ uid, gid }: Account): Folder {
  const path = mkdtempSync(join(tmpdir(), 'docs-agent-forge-'))
  const own = (name: string) => {
    if (uid !== undefined && gid !== undefined) chownSync(join(path, name), uid, gid)
    return join(path, name)
  }
  own('')
  const directory = (name: string) => {
    mkdirSync(join(path, name), { recursive: true })
    return own(name)
  }
  directory('bin')
  return {
    path,
    directory,
    file(name, text) {
      writeFileSync(join(path, name), text)
      return own(name)
    },
    program(name, original) {
      const copy = join('bin', name)
      copyFileSync(original, join(path, copy), 0)
      chmodSync(join(path, copy), 0o755)
      return own(copy)
    },
  }
}

export interface Certificate {
  /** Paths of PEM files. */
  readonly certificate: string
  readonly key: string
}

/** A certificate for 127.0.0.1, which is its own authority, and a key that lives a day. */
export function certify(folder: Folder): Certificate {
  const [certificate, key] = [folder.file('certificate.pem', ''), folder.file('private.pem', '')]
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key]
  const request = ['req', '-x509', '-days', '1', '-subj', '/CN=docs-agent tests']
  const name = ['-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', [...request, ...name, ...newKey, '-out', certificate], { stdio: 'pipe' })
  return { certificate, key }
}
