import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '../../emulator/github/render.ts'
import { withoutInvisible } from '../../src/base/invisible.ts'
import { htmlToText } from '../../src/prompt/html-to-text.ts'
import { processorMs } from '../helpers/processor-time.ts'

const seenOf = (html: string): string => htmlToText(html).text
const textOf = (markdown: string): string => seenOf(renderMarkdown(markdown))

const formula = (tex: string): string => `seen <math-renderer>$${tex}$</math-renderer> too`
const nested = (tags: string, text: string): string =>
  `seen ${tags}${text}${tags
    .match(/<\w+/g)
    ?.map((tag) => tag.replace('<', '</').concat('>'))
    .reverse()
    .join('')} too`

/** EVIL is hidden on the page; `seen` and `too` are not. What Markdown hides is in the properties of this function. */
const HIDDEN_HTML: Readonly<Record<string, string>> = {
  'the target of a link that shows a blank': 'seen <a href="EVIL">&nbsp;</a> <a href="EVIL">\u200b</a> too',
  'an element with `hidden`': 'seen <span hidden="">EVIL</span> too',
  'words for screen readers': 'seen <span class="note sr-only">EVIL</span> too',
  'a template': 'seen <template>EVIL</template> too',
  'a style': 'seen <style>EVIL</style> too',
  'a drawing': 'seen <svg><title>EVIL</title><text>EVIL</text></svg> too',
  'the fallback of a frame': 'seen <iframe>EVIL</iframe> too',
  'a field': 'seen <textarea>EVIL</textarea> <select><option>EVIL</option></select> too',
  'an element of another language': 'seen <math><mtext>EVIL</mtext></math> <foo>EVIL</foo> too',
  'the fallback of a video': 'seen <video src="EVIL">EVIL</video> too',
  'the source of a picture': 'seen <picture><source srcset="EVIL">too</picture>',
  'a quotation of an email that GitHub folds':
    'seen <span class="email-hidden-toggle">…</span><div class="email-hidden-reply" style="display:none">EVIL</div> too',
  'a diagram by its class': 'seen <div class="highlight highlight-source-geojson"><pre>EVIL</pre></div> too',
  'a diagram by its language': 'seen <pre lang="stl"><code>EVIL</code></pre> too',
  'a diagram by its type': 'seen <section data-type="geojson">EVIL</section> too',
  'a diagram of a new kind': 'seen <section class="js-render-needs-enrichment">EVIL</section> too',
  'a style that hides': 'seen <span style="display: block; font-size: 0">EVIL</span> too',
  'five <sub>': nested('<sub>'.repeat(5), 'EVIL'),
  '<sub>, <sup> and <small>': nested('<sub><sup><small><small>', 'EVIL'),
  'code in small text': nested('<sub><sub><code><samp>', 'EVIL'),
  'code in code in code': nested('<code>'.repeat(6), 'EVIL'),
  'small headings in each other': `<p>seen</p>${'<h6><div>'.repeat(6)}EVIL${'</div></h6>'.repeat(6)}<p>too</p>`,
  'ruby in ruby': 'seen <ruby>x<rt><ruby>x<rt>EVIL</rt></ruby></rt></ruby> too',
  'small text in a heading': 'seen <h1><sub><sub><sub>EVIL</sub></sub></sub></h1> too',
  'the parentheses of a ruby': 'seen <ruby>x<rp>EVIL</rp></ruby> too',
  'a dialog, a list of choices, a button':
    'seen <dialog open>EVIL</dialog> <datalist><option>EVIL</option></datalist> <button>EVIL</button> too',
  'the fallbacks of a canvas, an object, a meter':
    'seen <canvas>EVIL</canvas> <object>EVIL</object> <meter>EVIL</meter> <progress>EVIL</progress> too',
  'details with `hidden`': 'seen <details hidden open><summary>EVIL</summary>EVIL</details> too',
  'an address in the page': 'seen <a href="#EVIL">x</a> too',
  'an address in another direction': 'seen <a href="https://x/\u202eEVIL">x</a> too',
  'attributes of a list and a quotation':
    'seen <ul title="EVIL"><li data-x="EVIL" aria-label="EVIL">x</li></ul><blockquote cite="EVIL">x</blockquote> too',
  'an image of no width in a link': 'seen <a href="EVIL"><img src="x" width="00"></a> too',
  'a caption with `hidden`': 'seen <table><caption hidden>EVIL</caption><tr><td>x</td></tr></table> too',
  'a formula in small text': nested('<sub><sub><sub>', '<math-renderer>$EVIL$</math-renderer>'),
  ...Object.fromEntries(
    [
      '<s></s>',
      '<q> </q>',
      '<ruby><rt></rt></ruby>',
      '<img width="1" src="x">',
      '<img height="3" src="x">',
      '<code> </code>',
    ]
      .concat(
        '<svg><text>x</text></svg>',
        '<sub><sub><sub>x<math-renderer>\\x</math-renderer></sub></sub></sub>',
        '<bdo></bdo>',
        '<i dir="rtl"></i>',
      )
      .map((inner) => [`the target of a link around ${inner}`, `seen <a href="EVIL">${inner}</a> too`]),
  ),
  'the end of a long target': `seen <a href="https://x/${'y'.repeat(200)}EVIL">too</a>`,
  ...Object.fromEntries(
    [
      ...['\\phantom{EVIL}', '\\color{white}EVIL', 'x % EVIL', '\\\\[EVIL]', '\\hspace{99em}EVIL', '\\EVIL'],
      ...['\\!', '\\quad', '~', '\u2003'].map((space) => `${space.repeat(800)}EVIL`),
      ...['\\pha<b></b>ntom{EVIL}', '<span>\\phantom{EVIL}</span>'],
    ].map((tex) => [`the formula ${tex.slice(0, 40)}`, formula(tex)]),
  ),
  ...Object.fromEntries(
    [
      ...['<bdo dir="rtl">EVIL</bdo>', '<bdo>א EVIL</bdo>', '<bdo dir="rtl"><p>EVIL</p><p>EVIL</p></bdo>'],
      ...['<p dir="rtl">EVIL words</p>', '<p dir="RTL">EVIL א not</p>', '<span dir="rtl">EVIL</span>'],
      ...['<div dir="rtl"><p>EVIL</p>א<p>EVIL</p></div>', '<ul><li dir="rtl">EVIL</li></ul>'],
      ...['<table><tr><td dir="rtl">EVIL</td></tr></table>', '<pre dir="rtl">EVIL\n</pre>'],
      ...[
        '<p>EVIL \u202eneves\u202c EVIL</p>',
        '<h2 dir="rtl">EVIL</h2>',
        '<div dir="ltr">שלום עולם ל EVIL</div>',
        '<div dir="rtl"><i dir="ltr">x</i>EVIL</div>',
      ],
      ...['<p>\u202eEVIL\u202c</p>', '<p>\u202dEVIL</p>', '<p><b>\u202e</b><i>EVIL</i></p>'],
      ...['<p>\u202e<bdi>\u202c</bdi>EVIL</p>', '<p>\u202e<i dir="ltr">\u202c</i>EVIL</p>'],
    ]
      .concat(
        ['\u202a', '\u202b', '\u2066', '\u2067', '\u2068'].map((one) => `<p>EVIL ${one}EVIL EVIL</p>`),
        '<p dir="rtl"><i dir="ltr">EVIL</i> <i dir="ltr">EVIL</i></p>',
        '<p dir="rtl"><bdi>EVIL</bdi> <i dir="auto">EVIL</i></p>',
        '<p dir="auto">א <b dir="rtl"><i dir="ltr">EVIL</i> <i dir="ltr">EVIL</i></b></p>',
        '<table dir="rtl"><tr><td>EVIL</td><td dir="auto">EVIL</td></tr></table>',
        '<table dir="rtl"><tr><td><p dir="auto">EVIL</p></td><td><p dir="auto">EVIL</p></td></tr></table>',
        '<pre>x <b dir="rtl">EVIL</b></pre>',
        '<pre>x\n\u2067EVIL</pre>',
        '<p>EVIL <bdo dir="ltr">x</bdo></p>',
        '<p><sub><sub><sub>\u202e</sub></sub></sub>EVIL</p>',
        `<p>${'<b>'.repeat(100)}\u202e${'</b>'.repeat(100)}EVIL</p>`,
        '<div dir="rtl"><p dir="auto">x</p>EVIL<br>א</div>',
      )
      .map((html) => [`another direction: ${html.slice(0, 80)}`, `<p>seen</p> ${html} <p>too</p>`]),
  ),
}

test.each(Object.entries(HIDDEN_HTML))('4.2 hidden in %s', (_, html) => {
  const text = seenOf(html)
  expect(text).not.toMatch(/EVIL|\p{Bidi_Control}/u)
  expect(text).toMatch(/^seen\b[\s\S]*\btoo\b/)
})

/** Whole texts that stay as they are. */
const HONEST: readonly string[] = [
  ...['می‌خواهم کتاب‌ها را بخوانم', 'ශ්‍රී ලංකා', 'র‍্যাব', 'क्‍ष', 'ന്‍', 'ᠮᠣᠩᠭᠣᠯ ᠬᠡᠯᠡ ᠳ᠋ᠤ', 'مرحبا 123', 'שלום עולם'],
  ...['👨‍👩‍👧 ❤️ 👩🏽‍💻 🏳️‍🌈 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👩‍⚕️', '日本語 葛󠄀飾', 'grüße'],
]

test.each(HONEST)('4.2 %s stays', (text) => {
  expect(seenOf(`<p dir="auto">${text}</p>`)).toBe(text)
  expect(withoutInvisible(text)).toBe(text)
})

test.each(['a+b', 'x_1^2', '\n2n < m\n'])('4.2 the formula %j stays', (tex) => {
  expect(seenOf(formula(tex))).toBe(`seen $${tex}$ too`.replaceAll('\n', ' '))
})

/** The Markdown, and the whole text. */
const SEEN: Readonly<Record<string, readonly [markdown: string, text: string]>> = {
  'a fence in a list': [
    '- Run:\n  ```sh\n  cat <<EOF > a.html\n  <!DOCTYPE html>\n  EOF\n  ```\n- too',
    '- Run:\n\n  ```\n  cat <<EOF > a.html\n  <!DOCTYPE html>\n  EOF\n  ```\n\n- too',
  ],
  'a footnote': ['A claim[^why].\n\n[^why]: Because.', 'A claim[^1].\n\n[^1]: Because. ↩'],
  'addresses without a protocol': ['www.example.com, me@example.com', 'www.example.com, me@example.com'],
  'an image': ['a ![alt](u "title") b', 'a [image] b'],
  'an image that is a link': ['[![alt](u)](https://example.com)', '[image] (https://example.com)'],
  paragraphs: ['a\nb\n\nc  \nd', 'a\nb\n\nc\nd'],
  'nested lists': ['1. a\n2. b\n   - c\n     - d\n\ne', '1. a\n2. b\n   - c\n     - d\n\ne'],
  'a list with paragraphs': ['- a\n\n  b\n- c', '- a\n\n  b\n\n- c'],
  'a quotation': ['> a\n>\n> b\n\nc', '> a\n>\n> b\n\nc'],
  headings: ['# a\n\n### b', '# a\n\n### b'],
  'a table': ['| a | b |\n|--|--|\n| `x\\|y` | d |', '| a | b |\n| --- | --- |\n| `x|y` | d |'],
  'a table with classes, which GitHub takes away': [
    '<table class="js-file-line-container"><tr><td class="js-file-line"> a </td><td>b</td></tr></table>',
    '| a | b |',
  ],
  'a cell with two lines': ['| a |\n|--|\n| b<br>c |', '| a |\n| --- |\n| b c |'],
  'inline code with back-ticks': ['``a`b`` and `` ` ``', '``a`b`` and `` ` ``'],
  'white space in code': ['```\n\n  a  b\n\tc\n\n```', '```\n\n  a  b\n\tc\n\n```'],
  entities: ['&lt;b&gt; &amp; a < b', '<b> & a < b'],
  'small text': ['H<sub>2</sub>O <sup><sub>a</sub></sup>', 'H2O a'],
  powers: [
    '10<sup>6</sup>, 10<sup>-3</sup>, 2<sup>n</sup>, e<sup>x+1</sup>, 1<sup>st</sup>, <sup>1</sup>/<sub>2</sub>, a<sup>[1]</sup>',
    '10^6, 10^-3, 2^n, e^(x+1), 1st, 1/2, a[1]',
  ],
  'struck text': ['a ~~b~~ c', 'a ~~b~~ c'],
  'a list of tasks': ['- [ ] a\n- [x] b', '- [ ] a\n- [x] b'],
}

test.each(Object.entries(SEEN))('4.2 seen: %s', (_, [markdown, text]) => {
  expect(textOf(markdown)).toBe(text)
})

/** Lines of a file, as GitHub shows them in place of a link. */
const linkedCode = (
  ...lines: readonly string[]
): string => `<p dir="auto"></p><div class="Box Box--condensed my-2">
  <div class="Box-header f6">
    <p class="mb-0 text-bold">
      <a href="https://github.com/octo/x/blob/abc/a.py#L1-L${lines.length}">x/a.py</a>
    </p>
    <p class="mb-0 color-fg-muted">
        Lines 1 to ${lines.length}
      in
      <a data-pjax="true" class="commit-tease-sha" href="/octo/x/commit/abc">abc</a>
    </p>
  </div>
  <div itemprop="text" class="Box-body p-0 blob-wrapper blob-wrapper-embedded data">
    <table class="highlight tab-size mb-0 js-file-line-container" data-tab-size="8" data-paste-markdown-skip="">

        <tbody>${lines
          .map(
            (line, at) => `<tr class="border-0">
          <td id="L${at + 1}" class="blob-num border-0 px-3 py-0" data-line-number="${at + 1}"></td>
          <td id="LC${at + 1}" class="blob-code border-0 px-3 py-0 blob-code-inner js-file-line"> ${line} </td>
        </tr>
`,
          )
          .join('\n')}
    </tbody></table>
  </div>
</div>
<p></p>`

/** As the REST API answers. */
const GITHUB: Readonly<Record<string, readonly [html: string, text: string]>> = {
  'highlighted code': [
    '<div class="highlight highlight-source-js" dir="auto"><pre class="notranslate"><span class="pl-k">const</span> <span class="pl-s1">a</span>\n  b</pre></div>',
    '```\nconst a\n  b\n```',
  ],
  'a formula in a line, in an older form': [
    '<p dir="auto">a <math-renderer class="js-inline-math" style="display: inline" data-run-id="1">$x_1$</math-renderer> b</p>',
    'a $x_1$ b',
  ],
  'a diagram': [
    '<section class="js-render-needs-enrichment" data-type="mermaid" aria-label="EVIL"><div data-json="{&quot;data&quot;:&quot;EVIL&quot;}"><div class="render-plaintext-hidden" dir="auto"><pre lang="mermaid" aria-label="Raw mermaid code">graph TD\n%% EVIL\nEVIL[First \u202etext] --&gt; B[Second\u200b text]\nC[Third]</pre></div></div></section>',
    '[diagram: "[text in another direction]", "Second text", "Third"]',
  ],
  'a diagram in which GitHub shows more than text': [
    '<pre lang="mermaid">graph TD\n<b>A[EVIL]</b></pre>',
    '[diagram]',
  ],
  'an image, which GitHub links to itself': [
    '<p dir="auto"><a target="_blank" rel="noopener noreferrer" href="https://camo.example/x"><img src="https://camo.example/x" alt="EVIL" data-canonical-src="https://EVIL"></a></p>',
    '[image]',
  ],
  'a heading with its anchor': [
    '<div class="markdown-heading"><h2 class="heading-element" dir="auto">a</h2><a id="user-content-a" class="anchor" aria-label="Permalink: a" href="#a"><svg class="octicon"><path d=""></path></svg></a></div><p>b</p>',
    '## a\n\nb',
  ],
  'an alert': [
    '<div class="markdown-alert markdown-alert-note" dir="auto"><p class="markdown-alert-title" dir="auto"><svg><path></path></svg>Note</p><p dir="auto">a</p></div>',
    'Note\n\na',
  ],
  'a list that begins with another number': ['<ol start="3"><li>a</li><li>b</li></ol>', '3. a\n4. b'],
  'a footnote': [
    '<p>a<sup><a href="#user-content-fn-x-1" id="user-content-fnref-x-1" data-footnote-ref="" aria-describedby="footnote-label">1</a></sup></p><section data-footnotes="" class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2><ol><li id="user-content-fn-x-1"><p>b <a href="#user-content-fnref-x-1" data-footnote-backref="" aria-label="Back to reference 1"><g-emoji alias="leftwards_arrow_with_hook">↩</g-emoji></a></p></li></ol></section>',
    'a[^1]\n\n[^1]: b ↩',
  ],
  'Persian with code': [
    '<div dir="rtl"><p dir="auto">استفاده از <code>npm i</code> برای نصب retry</p><div class="highlight highlight-source-shell" dir="auto"><pre>npm i\n</pre></div><p dir="auto">English.</p></div>',
    'استفاده از `npm i` برای نصب retry\n\n```\nnpm i\n```\n\nEnglish.',
  ],
  'a table in Hebrew': [
    '<table dir="rtl"><tr><td>שם</td><td>ערך</td></tr><tr><td>א</td><td>timeout</td></tr></table>',
    '| שם | ערך |\n| א | timeout |',
  ],
  'a Hebrew line with images and parts in English': [
    '<p dir="rtl"><img src="a"><img src="b"> שלום <i dir="ltr">npm i</i> עולם</p>',
    '[image][image] שלום npm i עולם',
  ],
  'a Hebrew line that begins with an English name': [
    '<p dir="rtl">GitHub הוא אתר לאחסון</p>',
    'GitHub הוא אתר לאחסון',
  ],
  'English in a frame for Hebrew, in the direction of its own': [
    '<div dir="rtl"><p dir="auto">English.</p><p dir="ltr">More.</p></div>',
    'English.\n\nMore.',
  ],
  'a word against its letters': [
    '<p dir="auto">seen <b dir="rtl">EVIL</b> too</p><p dir="ltr">שלום</p>',
    '[text in another direction]\n\n[text in another direction]',
  ],
  'a cell in another direction': [
    '<table><tr><td>\u202eEVIL</td><td>a</td></tr><tr><td>a <bdo></bdo>b</td></tr></table>',
    '[text in another direction]\n| a b |',
  ],
  'an image in small text': [nested('<sub>'.repeat(6), '<img src="x">'), 'seen [image] too'],
  'code that a text links to': [
    `<div class="Box Box--condensed my-2">
  <div class="Box-header f6"><p class="mb-0 text-bold"><a href="https://github.com/o/r/blob/abc/a.ts#L1-L2">r/a.ts</a></p></div>
  <div itemprop="text" class="Box-body p-0 blob-wrapper blob-wrapper-embedded data">
    <table class="highlight tab-size mb-0 js-file-line-container" data-tab-size="8" data-paste-markdown-skip="">
        <tbody><tr class="border-0">
          <td id="L1" class="blob-num border-0 px-3 py-0" data-line-number="1"></td>
          <td id="LC1" class="blob-code border-0 px-3 py-0 blob-code-inner js-file-line"> <span class="pl-k">if</span> (a || b) </td>
        </tr>
    </tbody></table>
  </div>
</div>`,
    'r/a.ts (https://github.com/o/r/blob/abc/a.ts#L1-L2)\n\n```\nif (a || b)\n```',
  ],
  'several lines of code, with their indentation, an empty one and a fence': [
    linkedCode('def add(a):', '    return <span class="pl-s1">a</span> + 1', '', '\treturn 2', '```'),
    'x/a.py (https://github.com/octo/x/blob/abc/a.py#L1-L5)\n\nLines 1 to 5 in abc (/octo/x/commit/abc)\n\n````\ndef add(a):\n    return a + 1\n\n\treturn 2\n```\n````',
  ],
  'code without the spaces around each line': [
    '<table class="highlight js-file-line-container"><tr><td data-line-number="1"></td><td class="js-file-line">  a</td></tr></table>',
    '```\n  a\n```',
  ],
  'linked code in a direction of its own': [
    `<div dir="rtl">${linkedCode('seen = EVIL')}</div>`,
    '[text in another direction]\n\n[text in another direction]\n\n```\n[text in another direction]\n```',
  ],
  'a table whose cells alone claim to be code': [
    '<table><tr><td class="js-file-line">a</td><td>b</td></tr></table>',
    '| a | b |',
  ],
  'two line breaks': ['a<br><br>b<br>c', 'a\n\nb\nc'],
  'a key in small text': ['<sub><sub><kbd>x</kbd></sub></sub>', 'x'],
  'a control in a heading of its own': ['<h2>\u202e</h2><p>x</p>', 'x'],
  'code in a cell': ['<table><tr><td>a</td><td><pre>b\nc\n</pre></td></tr></table>', '| a | ``` b c ``` |'],
  'code in a quotation in a list': [
    '<ul><li><blockquote><pre>a\n\n  b\n</pre></blockquote></li></ul>',
    '- > ```\n  > a\n  >\n  >   b\n  > ```',
  ],
  'a table without words': ['<table><tr><td> </td><td></td></tr></table>x', 'x'],
}

test.each(Object.entries(GITHUB))('4.2 GitHub writes %s', (_, [html, text]) => {
  expect(seenOf(html)).toBe(text)
})

const TOKENS = [
  ...['<', '`', ' ', '<a title="', '\u200b', '\ud800', '<ul><li>', '<table><tr><td>', '<b><p>', '<sub>'],
  ...[
    '<a href=x><s></s></a>',
    '<bdo>א',
    '<i dir=rtl>x',
    '<div dir=rtl>',
    '\u202e',
    '\u2067a',
    '\u202a\u2069',
  ],
  ...[
    '<bdi>x\u202e',
    'ی\u200c',
    '👨\u200d',
    '<math-renderer>\\\\ [',
    '<a href=x><table><tr><td>',
    '<h1><div>',
  ],
]

/** Far beyond what each takes, far below what growth with the square of the length would take. */
const AT_ONCE = 900

test('4.2 cells full of blanks end at once', () => {
  const html = `<table><tr><td><code>${' '.repeat(64_000)}x</code>seen</td></tr></table>`
  expect(processorMs(() => expect(seenOf(html)).toContain('seen'))).toBeLessThan(AT_ONCE)
})

test('4.2 many lines in many quotations end at once', () => {
  const html = `${'<blockquote>'.repeat(79)}${'x<br>'.repeat(2000)}`
  expect(processorMs(() => expect(seenOf(html)).toContain('> x\n'))).toBeLessThan(AT_ONCE)
})

describe('4.2 20,000 of one token end at once', () => {
  test.each(TOKENS)('%j', (token) => {
    expect(processorMs(() => seenOf(token.repeat(20_000)))).toBeLessThan(AT_ONCE)
  })

  test.each([
    'blockquote',
    'ol><li',
    'a href="x"',
    'code',
    'pre',
    'table><tr><td',
    'del',
    'bdo',
    'div dir="rtl"',
  ])('<%s>, nested and closed', (tag) => {
    const names = tag.split('><').map((name) => name.replace(/ .*/, ''))
    const end = names
      .map((name) => `</${name}>`)
      .reverse()
      .join('')
    const html = `${`<${tag}>`.repeat(20_000)}nested${end.repeat(20_000)}<p>seen`
    expect(processorMs(() => expect(seenOf(html)).toContain('seen'))).toBeLessThan(AT_ONCE)
  })
})
