/** `<!-- examples/x.yml -->` … `<!-- end of example -->`: what stands between is generated. */
const PLACE = /(<!-- (examples\/[\w-]+\.yml) -->\n)[\s\S]*?(<!-- end of example -->)/g

/** The text with the examples that it quotes, each without the comment at its top: the page explains it. */
export function withExamples(markdown: string, textOf: (file: string) => string): string {
  return markdown.replace(PLACE, (_, begin: string, file: string, end: string) => {
    const workflow = textOf(file).replace(/^(#.*\n)+/, '')
    return `${begin}\`\`\`yaml\n${workflow}\`\`\`\n${end}`
  })
}
