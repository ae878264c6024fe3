/**
 * The grammar of the runner's command files (GITHUB_OUTPUT, GITHUB_STATE, GITHUB_ENV), as its own parser reads them:
 * `name=value`, or `name<<delimiter`, lines, `delimiter`. Whichever of `=` and `<<` comes first decides.
 * https://github.com/actions/runner/blob/main/src/Runner.Worker/FileCommandManager.cs
 */
export function parseFileCommands(text: string): Map<string, string> {
  const pairs = new Map<string, string>()
  const lines = linesOf(text)
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]?.text ?? ''
    if (line === '') continue
    const equals = line.indexOf('=')
    const heredoc = line.indexOf('<<')
    if (heredoc >= 0 && (equals < 0 || heredoc < equals)) {
      const name = line.slice(0, heredoc)
      const delimiter = line.slice(heredoc + 2)
      if (name === '' || delimiter === '') {
        throw new Error(`Invalid format '${line}'. Name must not be empty and delimiter must not be empty`)
      }
      const block = readBlock(lines, at + 1, delimiter)
      pairs.set(name, block.value)
      at = block.end
    } else if (equals > 0) pairs.set(line.slice(0, equals), line.slice(equals + 1))
    else throw new Error(`Invalid format '${line}'`)
  }
  return pairs
}

interface Line {
  readonly text: string
  /** Whether a line feed follows: the runner takes no unfinished line for a value. */
  readonly ended: boolean
}

/** Only a line feed ends a line: on Linux and macOS a carriage return is part of the value. */
function linesOf(text: string): Line[] {
  const parts = text.split('\n')
  const last = parts.pop() ?? ''
  const lines = parts.map((part) => ({ text: part, ended: true }))
  return last === '' ? lines : [...lines, { text: last, ended: false }]
}

function readBlock(lines: readonly Line[], start: number, delimiter: string): { value: string; end: number } {
  for (let end = start; end < lines.length; end += 1) {
    const line = lines[end]
    if (line?.text === delimiter) {
      const value = lines.slice(start, end).map(({ text }) => text)
      return { value: value.join('\n'), end }
    }
    if (!line?.ended) break
  }
  throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`)
}
