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

type Escapes = Readonly<Record<string, string>>

interface Form {
  /** Finds name and properties, and then the data. */
  readonly pattern: RegExp
  readonly separator: string
  /** In the order of decoding: `%25` last, or it would make new escapes. */
  readonly inProperties: Escapes
  readonly inData: Escapes
}

const LINES = { '%0D': '\r', '%0A': '\n' }
const OLDER = { '%3B': ';', ...LINES, '%5D': ']', '%25': '%' }
const FORMS: readonly Form[] = [
  {
    // What .NET trims: the next line is white space to it, the byte order mark is not.
    pattern: /^(?:(?!\ufeff)[\s\u0085])*::(.*?)::(.*)$/s,
    separator: ',',
    inProperties: { ...LINES, '%3A': ':', '%2C': ',', '%25': '%' },
    inData: { ...LINES, '%25': '%' },
  },
  { pattern: /##\[(.*?)\](.*)$/s, separator: ';', inProperties: OLDER, inData: OLDER },
]

/**
 * What the runner makes of a line: `::name key=value::data` at its start (white space before it does not help),
 * or the older `##[name key=value;]data` anywhere in it. `undefined` for plain text.
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function parseCommand(line: string, alsoKnown?: string): WorkflowCommand | undefined {
  for (const { pattern, separator, inProperties, inData } of FORMS) {
    const [, head, data = ''] = pattern.exec(line) ?? []
    if (head === undefined) continue
    const [, given = '', list = ''] = /^([^ ]*) ?(.*)$/s.exec(head) ?? []
    const name = given.toLowerCase()
    if (!REGISTERED.has(name) && name !== alsoKnown?.toLowerCase()) continue
    const properties: Record<string, string> = {}
    for (const pair of list.trim().split(separator)) {
      const [, key, value] = /^([^=]+)=(.+)$/s.exec(pair) ?? []
      if (key !== undefined && value !== undefined) properties[key] = decode(value, inProperties)
    }
    return { name, properties, data: decode(data, inData) }
  }
  return undefined
}

const decode = (text: string, escapes: Escapes): string =>
  Object.entries(escapes).reduce((out, [from, to]) => out.replaceAll(from, to), text)
