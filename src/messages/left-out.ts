import type { CommentPart } from '../event/own-words.ts'
import { code, grouped, joined, listed } from '../text.ts'

/** What the agent did not get, although it was part of the request or of what the request is about. */
export type LeftOut =
  | CommentPart
  | { readonly kind: 'file'; readonly path: string; readonly most: number }
  /** `of`: such as `issue`. */
  | { readonly kind: 'edited-text'; readonly of: string }
  | { readonly kind: 'context' | 'beside-request'; readonly most: number }
  | { readonly kind: 'moved' | 'long-push' }

/** What a mail client adds, and no reader misses. */
const MAIL_PARTS: Readonly<Partial<Record<CommentPart, string>>> = {
  signature: 'the signature of the comment',
  'quoted-mail': 'the mail that the comment quotes',
}

/** What, why, and what to do: inline Markdown, '' for nothing. */
export function describeLeftOut(leftOut: readonly LeftOut[]): string {
  const mail = leftOut.flatMap((one) => (typeof one === 'string' ? (MAIL_PARTS[one] ?? []) : []))
  const sentences = leftOut.map((one) => {
    if (one === 'text-below') return 'The rest of the comment was left out: write it as a new request.'
    return typeof one === 'string' ? '' : sentenceOf(one)
  })
  const went = mail.length === 0 ? '' : `Left out: ${listed([...new Set(mail)])}.`
  return joined(' ', went, ...new Set(sentences))
}

function sentenceOf(one: Exclude<LeftOut, CommentPart>): string {
  switch (one.kind) {
    case 'file':
      return `The docs agent did not get the end of ${code(one.path, 100)}: reference files have room for ${grouped(one.most)} characters in all. Pass less, or split the request.`
    case 'edited-text':
      return `The docs agent did not get the text of the ${one.of}: it was edited after the event. Ask again to send it.`
    case 'context':
      return `The docs agent did not get all texts and patches: they have room for ${grouped(one.most)} characters. Ask for the rest in a new request.`
    case 'beside-request':
      return `The docs agent did not get all that goes with the request: a prompt has room for ${grouped(one.most)} characters. Shorten or split the request.`
    case 'moved':
      return 'The docs agent did not get files and patches: the pull request has newer commits. Ask again to send them.'
    case 'long-push':
      return 'The docs agent may lack earlier pull requests: GitHub does not list all commits of this push. Name them in a new request.'
  }
}
