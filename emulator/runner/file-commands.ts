/**
 * The grammar of the runner's command files (GITHUB_OUTPUT, GITHUB_STATE, GITHUB_ENV), as its own parser reads them:
 * `name=value`, or `name<<delimiter`, lines, `delimiter`. Whichever of `=` and `<<` comes first decides. Only a line
 * feed ends a line: on Linux and macOS a carriage return is part of the value.
 * https://github.com/actions/runner/blob/main/src/Runner.Worker/FileCommandManager.cs
 */
export function parseFileCommands(text: string): Map<string, string> {
  const pairs = new Map<string, string>()
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line === '') continue
    const [, name = '', sign, rest = ''] = /^(.*?)(=|<<)(.*)$/s.exec(line) ?? []
    if (name === '') throw new Error(`Invalid format '${line}'`)
    if (sign === '=') {
      pairs.set(name, rest)
      continue
    }
    if (rest === '') throw new Error(`Invalid format '${line}'. Delimiter must not be empty`)
    const end = lines.indexOf(rest, at + 1)
    if (end < 0) throw new Error(`Invalid value. Matching delimiter not found '${rest}'`)
    pairs.set(name, lines.slice(at + 1, end).join('\n'))
    at = end
  }
  return pairs
}
