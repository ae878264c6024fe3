import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Rule } from './rule.ts'

/** The runner obeys what the action meant, word for word, and no line of anybody else's. */
export const commandsMeant: Rule = {
  name: 'commands-meant',
  clause: '2.4',
  afterLife(_, { name, log, meant }) {
    const obeyed = log.commands.map((command) => `${command.name}: ${command.data}`)
    const wanted = meant.map((command) => `${command.name}: ${command.data}`)
    const odd = obeyed.findIndex((command, n) => command !== wanted[n])
    const missing = wanted.slice(obeyed.length)
    return [
      ...(odd < 0 ? [] : [`${name}: the runner obeyed ${JSON.stringify(obeyed[odd])}`]),
      ...missing.map((command) => `${name}: the runner did not see ${JSON.stringify(command)}`),
      ...log.commands
        .filter((command) => Object.keys(command.properties).length > 0)
        .map((command) => `${name}: ${command.name} has properties ${JSON.stringify(command.properties)}`),
    ]
  },
}

/** Names of the outputs that an action declares. */
function outputsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  return new Set(Object.keys((parse(text) as { outputs: object }).outputs))
}

const ROOT = outputsOf('action.yml')
const NAMES = { main: ROOT, post: ROOT, sweep: outputsOf('collect/action.yml') } as const

/** GitHub drops a summary of more than 1 MiB. */
const MOST_SUMMARY = 1024 * 1024

/** The runner gets the names that the contract has, and no others. */
export const filesMeant: Rule = {
  name: 'files-meant',
  clause: '2, 2.3',
  afterLife(_, { name, role, footprint }) {
    const odd = [...footprint.outputs.keys()].filter((key) => !NAMES[role].has(key))
    return [
      ...odd.map((key) => `${name} wrote the output ${JSON.stringify(key)}`),
      ...(Buffer.byteLength(footprint.summary) > MOST_SUMMARY ? [`${name}: the summary is too long`] : []),
    ]
  },
}
