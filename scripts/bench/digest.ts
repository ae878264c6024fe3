import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { digestPatches } from '../../src/prompt/digest.ts'
import { ROOMS } from '../../src/prompt/rooms.ts'
import type { Report } from './table.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const RUNS = 15
const MEGABYTE = 1_000_000
const MOST_MS = 50

/** The digest of a change of 1 MB: this repository's own code, as if all of it were new. */
export function digest(): Report {
  const names = ['src', 'test', 'emulator', 'simulator'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const files: { readonly path: string; readonly patch: string }[] = []
  let size = 0
  for (const path of names.filter((name) => name.endsWith('.ts'))) {
    const patch = `@@ -0,0 +1 @@\n${readFileSync(join(ROOT, path), 'utf8').replace(/^/gm, '+')}`
    if (size >= MEGABYTE) break
    size += patch.length
    files.push({ path, patch })
  }
  const times = Array.from({ length: RUNS }, () => {
    const from = process.cpuUsage()
    digestPatches(files, ROOMS.changes)
    const { user, system } = process.cpuUsage(from)
    return (user + system) / 1000
  })
  const ms = times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN
  return {
    title: 'Digest',
    note: `Milliseconds of processor time for patches of 1 MB, the median of ${RUNS}.`,
    rows: { digest: { files: files.length, characters: size, ms } },
    goals: [{ what: 'ms for 1 MB of patches', value: ms, limit: MOST_MS }],
  }
}
