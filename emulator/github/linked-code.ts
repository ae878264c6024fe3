import type { Repository } from './model.ts'
import { escaped } from './render.ts'

/**
 * GitHub shows lines of a file of the same repository in place of a link to them that stands alone, if it names a commit.
 * https://docs.github.com/get-started/writing-on-github/working-with-advanced-formatting/creating-a-permanent-link-to-a-code-snippet
 */
export function withLinkedCode(html: string, { name, code }: Repository, web: string): string {
  if (code.size === 0) return html
  return html.replace(LINK_ALONE, (whole, href: string) => {
    const [, sha = '', path = '', first = '', last = first] = PERMALINK.exec(href) ?? []
    const text = code.get(`${sha}/${path}`)
    if (text === undefined || !href.startsWith(`${web}/${name}/blob/`)) return whole
    const lines = text.split('\n').slice(Number(first) - 1, Number(last))
    return boxOf({ href, name, sha, path, first: Number(first), last: Number(last) }, lines)
  })
}

const LINK_ALONE = /<p><a href="([^"]+)">\1<\/a><\/p>/g
const PERMALINK = /\/blob\/([\da-f]{40})\/([^#]+)#L(\d+)(?:-L(\d+))?$/

interface Linked {
  readonly href: string
  readonly name: string
  readonly sha: string
  readonly path: string
  readonly first: number
  readonly last: number
}

/** As the REST API answers. */
const boxOf = ({ href, name, sha, path, first, last }: Linked, lines: readonly string[]): string =>
  `<p dir="auto"></p><div class="Box Box--condensed my-2">
  <div class="Box-header f6">
    <p class="mb-0 text-bold">
      <a href="${href}">${name.split('/')[1]}/${path}</a>
    </p>
    <p class="mb-0 color-fg-muted">
        ${first === last ? `Line ${first}` : `Lines ${first} to ${last}`}
      in
      <a data-pjax="true" class="commit-tease-sha" href="/${name}/commit/${sha}">${sha.slice(0, 7)}</a>
    </p>
  </div>
  <div itemprop="text" class="Box-body p-0 blob-wrapper blob-wrapper-embedded data">
    <table class="highlight tab-size mb-0 js-file-line-container" data-tab-size="8" data-paste-markdown-skip="">

        <tbody>${lines.map((line, at) => rowOf(line, first + at)).join('\n')}
    </tbody></table>
  </div>
</div>
<p></p>`

const rowOf = (line: string, number: number): string => `<tr class="border-0">
          <td id="L${number}" class="blob-num border-0 px-3 py-0" data-line-number="${number}"></td>
          <td id="LC${number}" class="blob-code border-0 px-3 py-0 blob-code-inner js-file-line"> ${escaped(line)} </td>
        </tr>
`
