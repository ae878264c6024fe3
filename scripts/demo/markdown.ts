import { stripVTControlCharacters, styleText } from 'node:util'

/** Markdown as GitHub shows it, for a terminal: what is hidden there stays hidden, what is folded there is one line. */
export function render(markdown: string, width: number): string[] {
  const visible = markdown
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/```mermaid\n[\s\S]*?\n```/g, '▸ Chart')
    .replace(/<details>\s*<summary>(.*?)<\/summary>[\s\S]*?<\/details>/g, '▸ $1')
    .trim()
    .replace(/\n{3,}/g, '\n\n')
  const out: string[] = []
  const lines = visible.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line.startsWith('|')) {
      const end = lines.findIndex((other, index) => index > at && !other.startsWith('|'))
      const rows = lines.slice(at, end < 0 ? lines.length : end)
      out.push(...table(rows))
      at += rows.length - 1
    } else out.push(...block(line, width))
  }
  return out
}

function block(line: string, width: number): string[] {
  if (line.startsWith('▸ ')) return [styleText('dim', line)]
  if (line.startsWith('>'))
    return wrap(inline(line.replace(/^> ?/, '')), width - 2).map((part) => `▏ ${part}`)
  if (/^#+ /.test(line)) return wrap(styleText('bold', inline(line.replace(/^#+ /, ''))), width)
  if (line.startsWith('- ')) return wrap(`• ${inline(line.slice(2))}`, width)
  const small = /^<sub>(.*)<\/sub>$/.exec(line)?.[1]
  if (small !== undefined) return wrap(styleText('dim', inline(small)), width)
  return wrap(inline(line), width)
}

/** Columns in line, without the row of dashes; an empty header, as GitHub needs one, is not shown. */
function table(rows: readonly string[]): string[] {
  const cells = rows
    .filter((row) => !/^\|[\s:|-]+\|$/.test(row) || /[^\s:|-]/.test(row))
    .map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => inline(cell.trim())),
    )
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => widthOf(row[column] ?? ''))),
  )
  return cells
    .filter((row) => row.some((cell) => cell !== ''))
    .map((row) =>
      row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell))).join('  '),
    )
    .map((row) => row.trimEnd())
}

function inline(text: string): string {
  // Links first: the escape sequences of colours hold brackets.
  return text
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, name: string) => styleText(['underline', 'cyan'], name))
    .replace(/\*\*(.+?)\*\*/g, (_, bold: string) => styleText('bold', bold))
    .replace(/`([^`]+)`/g, (_, code: string) => styleText('yellow', code))
    .replace(
      /(^|[\s(>])(@[\w-]+)/g,
      (_, before: string, mention: string) => before + styleText('bold', mention),
    )
    .replace(/\\([\\`*_[\]<>@~#|])/g, '$1')
    .replace(/<br\s*\/?>/g, '; ')
    .replace(/<\/?(sub|sup|b|i|em|strong|br)\s*\/?>/g, '')
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

const widthOf = (text: string): number => stripVTControlCharacters(text).length
