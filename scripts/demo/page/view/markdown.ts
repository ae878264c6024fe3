import rehypeRaw from 'rehype-raw'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkGithub from 'remark-github'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { hardBreaks } from './breaks.ts'
import { ownLinks, type Resolve } from './links.ts'

export interface Place {
  /** `owner/name`, which `#12` counts from. */
  readonly repository: string
  /** Where links of this GitHub begin. */
  readonly serverUrl: string
  readonly resolve: Resolve
  /** In comments a line that ends is a line that breaks; in the summary of a step it is not. */
  readonly breaks: boolean
}

/** GitHub's own rules, without pictures: GitHub fetches them through a proxy, and this page asks nobody. */
const SCHEMA = {
  ...defaultSchema,
  tagNames: defaultSchema.tagNames?.filter((name) => !['img', 'picture', 'source'].includes(name)) ?? [],
}

/** Markdown as GitHub shows it. */
export function toHtml(markdown: string, { repository, serverUrl, resolve, breaks }: Place): string {
  const buildUrl: NonNullable<Parameters<typeof remarkGithub>[0]>['buildUrl'] = (values) => {
    if (values.type === 'mention') return `${serverUrl}/${values.user}`
    return values.type === 'issue' && `${serverUrl}/${values.user}/${values.project}/issues/${values.no}`
  }
  return String(
    unified()
      .use(remarkParse)
      .use(remarkGfm)
      .use(breaks ? [hardBreaks] : [])
      .use(remarkGithub, { repository, buildUrl })
      .use(remarkRehype, { allowDangerousHtml: true })
      .use(rehypeRaw)
      .use(rehypeSanitize, SCHEMA)
      .use(ownLinks, { serverUrl, resolve })
      .use(rehypeStringify)
      .processSync(markdown),
  ).trim()
}
