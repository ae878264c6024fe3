import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUDGETS } from '../../src/prompt/budgets.ts'
import { fitPatches } from '../../src/prompt/fit-patches.ts'
import type { Report } from './table.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const RUNS = 15
const MEGABYTE = 1_000_000
const MOST_MS = 50

/** Fits a change of 1 MB: this repository's own code, as if all of it were new. */
export function patches(): Report {
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
    fitPatches(files, BUDGETS.changes)
    const { user, system } = process.cpuUsage(from)
    return (user + system) / 1000
  })
  const ms = times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN
  return {
    title: 'Patches',
    note: `Milliseconds of processor time for patches of 1 MB, the median of ${RUNS}.`,
    rows: { patches: { files: files.length, characters: size, ms } },
    goals: [{ what: 'ms for 1 MB of patches', value: ms, limit: MOST_MS }],
  }
}
