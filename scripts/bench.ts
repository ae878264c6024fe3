import { parseArgs } from 'node:util'
import { path } from './bench/path.ts'
import { startUp } from './bench/start-up.ts'
import { print } from './bench/table.ts'
import { waiting } from './bench/waiting.ts'

/**
 * `npm run bench`, or `npm run bench -- path`: figures for people, never a test. `start-up --beside FOLDER` measures the
 * bundle of another checkout, too.
 */
const { positionals: asked, values } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: 'string' } },
})
const PARTS = { path, 'start-up': () => startUp(values.beside), waiting }

const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; the parts are ${Object.keys(PARTS).join(', ')}.`)
  process.exitCode = 1
} else {
  for (const [name, part] of Object.entries(PARTS)) {
    if (asked.length === 0 || asked.includes(name)) print(await part())
  }
}
