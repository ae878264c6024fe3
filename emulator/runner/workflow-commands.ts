/** A line of the log that the runner obeys instead of showing it. */
export interface WorkflowCommand {
  /** In lower case, such as `error` or `add-mask`. */
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
  readonly data: string
}

const REGISTERED = new Set([
  ...['add-mask', 'add-matcher', 'remove-matcher', 'add-path', 'debug', 'echo', 'error', 'warning', 'notice'],
  ...['group', 'endgroup', 'save-state', 'set-env', 'set-output', 'stop-commands'],
])

/**
 * What the runner makes of a line: `::name key=value::data` at its start (white space before it does not help),
 * or the older `##[name key=value;]data` anywhere in it. `undefined` for plain text.
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function parseCommand(line: string, alsoKnown?: string): WorkflowCommand | undefined {
  const known = (name: string) =>
    REGISTERED.has(name.toLowerCase()) || name.toLowerCase() === alsoKnown?.toLowerCase()
  return current(line.replace(WHITE_SPACE, ''), known) ?? older(line, known)
}

/** What .NET trims: the next line is white space to it, the byte order mark is not. */
const WHITE_SPACE = /^(?:(?!\ufeff)[\s\u0085])+/

type Known = (name: string) => boolean

function current(line: string, known: Known): WorkflowCommand | undefined {
  if (!line.startsWith('::')) return undefined
  const end = line.indexOf('::', 2)
  if (end < 0) return undefined
  return build(line.slice(2, end), ',', line.slice(end + 2), known, {
    property: { '%0D': '\r', '%0A': '\n', '%3A': ':', '%2C': ',', '%25': '%' },
    data: { '%0D': '\r', '%0A': '\n', '%25': '%' },
  })
}

function older(line: string, known: Known): WorkflowCommand | undefined {
  const start = line.indexOf('##[')
  const end = start < 0 ? -1 : line.indexOf(']', start)
  if (end < 0) return undefined
  const escapes = { '%3B': ';', '%0D': '\r', '%0A': '\n', '%5D': ']', '%25': '%' }
  return build(line.slice(start + 3, end), ';', line.slice(end + 1), known, {
    property: escapes,
    data: escapes,
  })
}

function build(
  head: string,
  separator: string,
  data: string,
  known: Known,
  escapes: { readonly property: Escapes; readonly data: Escapes },
): WorkflowCommand | undefined {
  const space = head.indexOf(' ')
  const name = space < 0 ? head : head.slice(0, space)
  if (!known(name)) return undefined
  const properties: Record<string, string> = {}
  for (const pair of space < 0
    ? []
    : head
        .slice(space + 1)
        .trim()
        .split(separator)) {
    const at = pair.indexOf('=')
    if (at > 0 && at + 1 < pair.length)
      properties[pair.slice(0, at)] = decode(pair.slice(at + 1), escapes.property)
  }
  return { name: name.toLowerCase(), properties, data: decode(data, escapes.data) }
}

type Escapes = Readonly<Record<string, string>>

/** In this order: `%25` last, or it would make new escapes. */
function decode(text: string, escapes: Escapes): string {
  return Object.entries(escapes).reduce((out, [from, to]) => out.replaceAll(from, to), text)
}
