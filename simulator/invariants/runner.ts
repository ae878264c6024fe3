import { OUTPUTS } from '../../src/run/outputs.ts'
import { STATE_NAME } from '../../src/run/request-run.ts'
import type { Invariant } from './invariant.ts'

/** The runner obeys what the action meant, word for word, and no line of anybody else's. */
export const commandsMeant: Invariant = {
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

const NAMES = {
  main: new Set<string>([...OUTPUTS, 'result']),
  post: new Set<string>([...OUTPUTS, 'result']),
  sweep: new Set(['finished', 'active', 'failed', 'result']),
} as const

/** GitHub drops a summary of more than 1 MiB. */
const MOST_SUMMARY = 1024 * 1024

/** The runner gets the names that the contract has, and no others. */
export const filesMeant: Invariant = {
  name: 'files-meant',
  clause: '2, 2.3',
  afterLife(_, { name, role, footprint }) {
    const odd = [...footprint.outputs.keys()].filter((key) => !NAMES[role].has(key))
    const states = [...footprint.state.keys()].filter((key) => key !== STATE_NAME)
    return [
      ...odd.map((key) => `${name} wrote the output ${JSON.stringify(key)}`),
      ...states.map((key) => `${name} wrote the state ${JSON.stringify(key)}`),
      ...(Buffer.byteLength(footprint.summary) > MOST_SUMMARY ? [`${name}: the summary is too long`] : []),
    ]
  },
}
