import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { decimal, type Report } from './table.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** dist/ is not minified, so that it can be read: that costs 250 kB. */
const TARGET_KB = 1_200

const kB = (bytes: number): string => decimal(bytes / 1000, 0)

/** What a workflow downloads before the action can start. */
export function size(): Report {
  const dist = readdirSync(`${ROOT}/dist`).map((name) => ({
    name,
    bytes: statSync(`${ROOT}/dist/${name}`).size,
  }))
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: ROOT, maxBuffer: 2 ** 30 })
  const compressed = gzipSync(archive, { level: 9 }).length
  return {
    title: 'Size',
    note: 'In kB. The checkout is that of HEAD, as `git archive HEAD | gzip -9` packs it.',
    head: ['', 'kB'],
    rows: [
      ...dist.map(({ name, bytes }) => [`dist/${name}`, kB(bytes)]),
      ['dist/', kB(dist.reduce((sum, { bytes }) => sum + bytes, 0))],
      ['checkout', kB(archive.length)],
      ['checkout, compressed', kB(compressed)],
    ],
    goals: [{ what: 'compressed checkout', value: compressed / 1000, limit: TARGET_KB, unit: ' kB' }],
  }
}
