export interface PromptPart {
  readonly token: string
  /** What the list of parts says of it. */
  readonly whose: string
  /** Between its two lines. */
  readonly text: string
}

const LISTED = /^- `([a-z\d]{10})` is (.*)$/gm

/** The parts of a prompt, read by the tokens that stand in its list, which a text above the list cannot bring in. */
export function promptPartsIn(prompt: string): readonly PromptPart[] {
  const ends = [...prompt.matchAll(/^=== end ([a-z\d]{10})$/gm)].map(([, token = '']) => token)
  const isListed = ({ 1: token = '', index }: RegExpExecArray) =>
    prompt.slice(0, index).includes(`\n- \`${token}\` is `)
  // The list ends where the first of its parts begins: a part can imitate a list.
  const { index: end = 0 } = [...prompt.matchAll(/^=== begin ([a-z\d]{10})$/gm)].find(isListed) ?? {}
  const listed = [...prompt.slice(0, end).matchAll(LISTED)].filter(([, token = '']) => ends.includes(token))
  return listed.flatMap(([, token = '', whose = '']) => {
    const [begin, end] = [`\n=== begin ${token}\n`, `\n=== end ${token}`]
    const from = prompt.indexOf(begin)
    const text = prompt.slice(from + begin.length, prompt.indexOf(end))
    return from < 0 ? [] : [{ token, whose, text }]
  })
}

/** The text of the first part whose description matches; '' for none. */
export const partIn = (prompt: string, whose: RegExp): string =>
  promptPartsIn(prompt).find((part) => whose.test(part.whose))?.text ?? ''

/** The prompt without what stands in its parts. */
export const outsideOf = (prompt: string): string =>
  promptPartsIn(prompt).reduce(
    (rest, { token, text }) =>
      rest.replace(`\n=== begin ${token}\n${text}\n=== end ${token}`, () => `\n=== ${token}`),
    prompt,
  )

/** The request with the list of parts, and the parts. */
export function halvesOf(prompt = ''): readonly [request: string, fenced: string] {
  const at = prompt.indexOf('\n=== begin ')
  return at < 0 ? [prompt, ''] : [prompt.slice(0, at), prompt.slice(at)]
}
