import fc from 'fast-check'

/**
 * Markdown templates: each `W` becomes a word that the page shows, each `H` a word that it hides. `N` becomes a
 * label. Each W and H becomes a word of its own.
 */
const SEEN_INLINE = [
  'W',
  'W W',
  '*W*',
  '**W W**',
  '~~W~~',
  '`W`',
  '``W ` W``',
  '`<W title="W">`',
  '`<!-- W -->`',
  '`[W]: W`',
  '(W)',
  '"W"',
  '\\[W\\]',
  '\\`W\\`',
  'W [W]: W',
  'W[^W]',
  '&lt;W&gt;',
  'a < W',
  'W\u200b\u2060W',
  'W<br>W',
  '<b>W</b>',
  '<kbd>W</kbd>',
  '<sub><sup>W `W`</sup></sub>',
  '<ruby>W<rt>W</rt></ruby>',
  '<q>W</q> <ins>W</ins> <del>W</del>',
  '<script>W</script>',
  '[W](https://example.com/W)',
  '[*W* `W`](../W)',
  '[W](<./W W>)',
  '<https://example.com/W>',
  'https://example.com/W',
]

const HIDDEN_INLINE = [
  '<!-- H -->',
  '<!--H-->',
  '<!--!> H -->',
  '<!-- H\nH -->',
  '<!-- <b> > H -->',
  '<?H?>',
  '<!DOCTYPE H>',
  '<![CDATA[H]]>',
  '<sub><sup><small>H</small></sup></sub>',
  '<sup><sup>W <sub>H <b>H</b></sub></sup></sup>',
  '<ruby>W<rt>W<ruby>W<rt>H</rt></ruby></rt></ruby>',
  '<H>',
  '<H title="H">W</H>',
  '<b title="H">W</b>',
  "<i\n title='H'\n lang=H>W</i>",
  '<span data-H="H > H" hidden>W</span>',
  '<a href="W" title="H">W</a>',
  '<ruby>W<rp>H</rp><rt>W</rt></ruby>',
  '[W](W "H")',
  "[W](W 'H\nH')",
  '[W](W (H))',
  '![H](H "H")',
  '![H [H](H) `H`](H)',
  '<img alt="H" src="H"\n title=H>',
  '[](H)',
  '[](<H H, H> "H")',
  '<a href="H"></a>',
  '&#8203;&zwnj;',
]

const SEEN_BLOCK = [
  '***',
  'W\n===',
  '***\n\n    W <W title="W"> <!-- W -->',
  '```\nW <!-- W -->\n\n<W title="W">\n[W]: W\n```',
  '~~~\n``` W\n~~~',
  '- W\n\n  ```\n  W <<EOF > W\n  <!DOCTYPE W>\n  ```\n- W',
  '[W][N]\n\n[N]: W "H"',
  '[N]\n\n[N]: <./W> (H)',
  'W[^N]\n\n[^N]: W\n    W\n\n    - W',
  '![H][N]\n\n[N]: H "H"',
  '<p>W <b>W</b></p>',
  '<div>\nW **W**\n</div>',
  '<table><tr><td>W</td><td>\n\nW\n\n</td></tr></table>',
  '<details><summary>W</summary>\n\nW\n\n</details>',
  '<ul><li>W<li>W</ul>',
  '<ol start="4"><li value="7">W<li><p>W</ol>',
  '<dl><dt>W<dd>W</dl>',
  '<table><tr><td><pre>W\nW</pre></td><td><ul><li>W</ul></td></tr></table>',
  '<figure><figcaption>W</figcaption><mark>W</mark></figure> <abbr title="H">W</abbr>',
  '<p dir="auto">W <bdi>W</bdi></p>\n<p dir="ltr">W <i dir="ltr">W</i></p>',
  '<div dir="rtl">\n<p dir="auto">W</p>\nא W<br>א\n</div>',
]

const HIDDEN_BLOCK = [
  '<!--\nH\n\nH\n-->',
  '<!-- H -->W',
  'W ![H <!--](H) W',
  '<div>\n<!-- x -->\n<b H, H>W</b>\n</div>',
  '<p>W<H_x> W</p>',
  '<div title="H\nH">\n\nW\n\n</div>',
  '<div\n  title="H"\n  hidden\n>\n\nW\n\n</div>',
  '<h2 class="sr-only">H</h2>',
  '<p dir="rtl">H <b>H</b></p>',
  '<div dir="rtl">\n\nH `H`\n\n</div>',
  '<ul><li dir="rtl">H</ul>',
  '<p dir="rtl"><bdi>H</bdi> <i dir="ltr">H</i></p>',
  'H \u2067H\u2069 H',
  'H <bdo dir="rtl">H</bdo>',
  '<?H\n\nH?>',
  '<!DOCTYPE H\nH>',
  '<![CDATA[\nH\n]]>',
  '> W <a\n> title="H">W</a>',
  '[H]: H "H"',
  '[H]:\nH\n"H\nH"',
  '> [H]: H\n\nW',
  '[^H]: H\n    H\n\n    H',
  '```ts H\nW\n```',
  '~~~H H\nW\n~~~',
  '```mermaid\nH\n```',
  '``` geojson\nH\n```',
  '| W | W |\n|--|:-:|\n| W | W | H | H |\n| W',
  '| W |\n|--|\n| [W](W "H") <!-- H --> | H |',
]

/** These hide all that follows. */
const TAILS = [
  '',
  '',
  '',
  '<!-- H\n\nH',
  '<p>W</p><img H\nH',
  '<div title="H\n\nH',
  '<?H\n\nH',
  '<pre title="H\n\nH',
]

const inline = fc
  .array(fc.constantFrom(...SEEN_INLINE, ...HIDDEN_INLINE), { minLength: 1, maxLength: 4 })
  .map((pieces) => ['W', ...pieces].join(' '))
const line = inline.map((text) => text.replaceAll('\n', ' '))

const block = fc.oneof(
  inline,
  line.map((text) => `## ${text}`),
  line.map((text) => `> ${text}\n> - ${text}`),
  line.map((text) => `- ${text}\n- [x] ${text}\n  1. ${text}`),
  line.map((text) => `| W | W |\n| :-- | --: |\n| W | ${text} |`),
  line.map((text) => `W[^N]\n\n[^N]: ${text}`),
  line.map((text) => `<details><summary>W</summary>\n\n${text}\n\n</details>`),
  fc.constantFrom(...SEEN_BLOCK),
  fc.constantFrom(...HIDDEN_BLOCK),
)

/** Text of which each word is known to be seen (`s1x`) or hidden (`h2x`). */
export const page: fc.Arbitrary<string> = fc
  .tuple(fc.array(block, { maxLength: 6 }), fc.constantFrom(...TAILS))
  // Footnotes come last on the page.
  .filter(([blocks, tail]) => tail === '' || !blocks.some((text) => text.includes('[^N]')))
  .map(([blocks, tail]) => numbered([...blocks.map(labelled), tail].join('\n\n')))

/** What means something in Markdown or HTML, in any order: `·` is a blank, `¶` the end of a line. */
const PIECES = String.raw`
  W W W · · ¶ ¶¶ ¶¶ #· >· -· 1.· ···· ~~~ * _ ~~ | ¶|-|¶ ¶|-|-|¶ \
  [ ] ( ) ![ ](u ](u·"W") [^W] [^1] ]:· [1] " ' = < > / <! -- --> <!-- <? ?> <![CDATA[ ]]> </
  <b> </b> <img· <a·title="W"> <div·W> <W> <pre> <hr> <details> <summary> <p </p> <br </div>
  <code> </code> <rp> </rp> <ul><li> <table><tr><td> </table> &lt; &#33;
`
  .trim()
  .split(/\s+/)
  .map((piece) => piece.replaceAll('·', ' ').replaceAll('¶', '\n'))
  .concat('`', '```', '\u200b')

/** Text in which nothing is known beforehand. */
export const soup: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...PIECES, ...SEEN_INLINE, ...HIDDEN_INLINE, ...SEEN_BLOCK, ...HIDDEN_BLOCK), {
    maxLength: 25,
  })
  .map((pieces) => numbered(pieces.map(labelled).join('')))

const labelled = (text: string, at: number): string => text.replaceAll('N', `label${at}`)

function numbered(text: string): string {
  let words = 0
  return text.replace(/W|(?<![A-Z])H/g, (kind) => `${kind === 'W' ? 's' : 'h'}${words++}x`)
}

/** Each word once. */
export const wordsOf = (text: string): string[] => [...new Set(text.match(/[sh]\d+x/g))]
export const isSeen = (word: string): boolean => word.startsWith('s')
