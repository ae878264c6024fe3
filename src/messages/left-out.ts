import type { CommentPart } from '../event/command.ts'
import { code, grouped, joined, listed } from '../text.ts'

/** What the agent did not get, although it was part of the request or of what the request is about. */
export type LeftOut =
  | CommentPart
  | { readonly kind: 'file'; readonly path: string; readonly most: number }
  /** `of`: such as `issue`. */
  | { readonly kind: 'edited-text'; readonly of: string }

/** What a mail client adds, and nobody misses. */
const MAIL_PARTS: Readonly<Partial<Record<CommentPart, string>>> = {
  signature: 'the signature of the comment',
  'quoted-mail': 'the mail that the comment quotes',
}

/** What, why, and what to do: inline Markdown, '' for nothing. */
export function describeLeftOut(leftOut: readonly LeftOut[]): string {
  const mail = leftOut.flatMap((one) => (typeof one === 'string' ? (MAIL_PARTS[one] ?? []) : []))
  const sentences = leftOut.map((one) => {
    if (one === 'text-below') return 'The rest of the comment was left out: write it as a request of its own.'
    if (typeof one === 'string') return ''
    if (one.kind === 'file')
      return `The docs agent did not get the end of ${code(one.path, 100)}: all reference files together have room for ${grouped(one.most)} characters. Pass less, or split the request.`
    return `The docs agent did not get the text of the ${one.of}: it was edited after the event. Ask again to send it as it is now.`
  })
  const went = mail.length === 0 ? '' : `Left out: ${listed([...new Set(mail)])}.`
  return joined(' ', went, ...new Set(sentences))
}
