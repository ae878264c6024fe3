import type { ActionMetadata, Entry } from '../../emulator/runner/metadata.ts'

/** `<!-- inputs of action.yml -->` … `<!-- end of inputs -->`: what stands between is generated. */
const PLACE = /(<!-- (inputs|outputs) of (\S+) -->\n)[\s\S]*?(<!-- end of \2 -->)/g

/** The text with its tables as the metadata files have them now. */
export function withTables(markdown: string, contractOf: (file: string) => ActionMetadata): string {
  return markdown.replace(PLACE, (_, begin: string, section: string, file: string, end: string) => {
    const contract = contractOf(file)
    const table = section === 'inputs' ? inputTable(contract.inputs) : outputTable(contract.outputs)
    return `${begin}${table}\n${end}`
  })
}

/** Two columns, so that a phone shows all of it: the default follows the meaning. */
function inputTable(inputs: readonly Entry[]): string {
  const shown = inputs.filter(({ description }) => !description.startsWith('Internal.'))
  const rows = shown.map((input) => row(`\`${input.name}\``, meaningOf(input)))
  return [row('Input', 'Meaning'), row('---', '---'), ...rows].join('\n')
}

function outputTable(outputs: readonly Entry[]): string {
  const rows = outputs.map(({ name, description }) => row(`\`${name}\``, description))
  return [row('Output', 'Meaning'), row('---', '---'), ...rows].join('\n')
}

function meaningOf({ description, required, default: value = '' }: Entry): string {
  if (required) return `**Required.** ${description}`
  if (value === '') return description
  // Code is wider than text, and an address does not break.
  return `${description} Default: ${value.startsWith('https:') ? value : `\`${value}\``}.`
}

const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`
