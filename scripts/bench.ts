import { parseArgs } from 'node:util'
import { material } from './bench/material.ts'
import { minutes } from './bench/minutes.ts'
import { patches } from './bench/patches.ts'
import { path } from './bench/path.ts'
import { startUp } from './bench/start-up.ts'
import { print } from './bench/table.ts'
import { waiting } from './bench/waiting.ts'

/**
 * `npm run bench`, or `npm run bench -- path`: figures for people, never a test. `start-up --beside FOLDER` measures the
 * bundle of another checkout, too, and `material FOLDER` needs a folder of git repositories, so it runs by itself alone.
 */
const { positionals: asked, values } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: 'string' } },
})
const PARTS = { path, 'start-up': () => startUp(values.beside), waiting, patches, minutes }

const [first, folder] = asked
const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name))
if (first === 'material' && folder !== undefined) {
  material(folder).forEach(print)
} else if (unknown.length > 0) {
  const names = [...Object.keys(PARTS), 'material FOLDER'].join(', ')
  console.error(`There is no part ${unknown.join(', ')}; the parts are ${names}.`)
  process.exitCode = 1
} else {
  for (const [name, part] of Object.entries(PARTS)) {
    if (asked.length === 0 || asked.includes(name)) print(await part())
  }
}
