import { path } from './bench/path.ts'
import { startUp } from './bench/start-up.ts'
import { print } from './bench/table.ts'

/** `npm run bench`, or `npm run bench -- path`: figures for people, never a test. */
const PARTS = { path, 'start-up': startUp }

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; the parts are ${Object.keys(PARTS).join(', ')}.`)
  process.exitCode = 1
} else {
  for (const [name, part] of Object.entries(PARTS)) {
    if (asked.length === 0 || asked.includes(name)) print(await part())
  }
}
