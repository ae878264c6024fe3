/** The rows of the table of a dry run, by what the action can do. */
export function setupRows({ summary }: { readonly summary: string }): Readonly<Record<string, string>> {
  const [, section = ''] = summary.split('### Setup\n')
  const rows = section.split('\n').filter((line) => /^\| (?!:--|The action)/.test(line))
  return Object.fromEntries(
    rows.map((row) => row.split('|').map((cell) => cell.trim())).map((row) => [row[1], row[2] ?? '']),
  )
}
