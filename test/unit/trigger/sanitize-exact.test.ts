import { expect, test } from 'vitest'
import { sanitize } from '../../../src/trigger/sanitize.ts'
import { withoutAlternatives } from '../../../src/trigger/sanitize-links.ts'

/** Contract 4.2 where it is close: what is taken out, and that no more is. EVIL is hidden on the page, `seen` is not. */
const EXACT: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'a comment ends at its own end': [
    ['a <!-- > EVIL -->seen', 'a seen'],
    ['a <!-- <?x -->seen?> too', 'a seen?> too'],
    ['a <!x> seen <![CDATA[y]]> too', 'a  seen  too'],
    ['a <? x > ?> seen <!y> too', 'a  seen  too'],
  ],
  'attributes in a paragraph': [
    ['a <b  title  =  "EVIL"  href=\'EVIL\' x=EVIL y>seen</b  >', 'a <b>seen</b>'],
    ['a <h2>seen</h2 >, <strong\n>seen</strong\n>', 'a <h2>seen</h2>, <strong>seen</strong>'],
    ['a <b title="seen\n\ntoo">', 'a <b title="seen\n\ntoo">'],
    ['a <b ="seen"> and <b seen=> and <1 seen>', 'a <b ="seen"> and <b seen=> and <1 seen>'],
  ],
  'attributes in a block of HTML': [
    ['<div><img alt="> EVIL" src=x>seen', '<div><img>seen'],
    ["<div><img alt='> EVIL' src=x>seen", '<div><img>seen'],
    ["<div><p title=it's EVIL>seen's", "<div><p>seen's"],
    ['<div><p title= "> EVIL">seen', '<div><p>seen'],
    ['<div><p "EVIL>seen">too', '<div><p>seen">too'],
    ['<div><p a="EVIL" b="EVIL">seen', '<div><p>seen'],
    ['<div><p a=\'"\' EVIL>seen"', '<div><p>seen"'],
  ],
  'what nothing closes hides the rest of its block': [
    ['<p>seen</p><img EVIL\nEVIL\n\nseen > too', '<p>seen</p><img>\n\nseen > too'],
    ['<p>seen</p><! EVIL\nEVIL\n\nseen > too', '<p>seen</p>\n\nseen > too'],
    ['<p>seen</p><! EVIL>seen', '<p>seen</p>seen'],
    ['<p>seen</p></ EVIL>seen', '<p>seen</p>seen'],
    ['a <! seen> and </ seen>', 'a <! seen> and </ seen>'],
    ['<x-y>\n<pre>\n\n<p EVIL\n\nEVIL', '<x-y>\n<pre>\n\n<p>'],
    ['<pre>\n<div>\n\n<p EVIL\n\nEVIL', '<pre>\n<div>\n\n<p>'],
    ['<pre>\n\nseen\n</pre>\n\na <b seen, c', '<pre>\n\nseen\n</pre>\n\na <b seen, c'],
  ],
  'a tag that has the line to itself begins a block of HTML': [
    ['<x-y a=">" b=\'>\'>\n<p EVIL', '<x-y>\n<p>'],
    ['</x-y> \t\n<p EVIL', '</x-y> \t\n<p>'],
    ['<x-y>seen\n<q seen', '<x-y>seen\n<q seen'],
  ],
  'before and behind a block of HTML is none': [
    ['a <b seen, c\n\n<div>x</div>', 'a <b seen, c\n\n<div>x</div>'],
    ['<div>\n</div>\n\na <b seen, c', '<div>\n</div>\n\na <b seen, c'],
    ['<div>\n</div>\n  \na <b seen, c', '<div>\n</div>\n  \na <b seen, c'],
    ['<b>x</b> a <b seen, c', '<b>x</b> a <b seen, c'],
    ['<b>x</b> `Map<string, number>` <b>y</b>', '<b>x</b> `Map<string, number>` <b>y</b>'],
  ],
  'titles of links': [
    ['[![](u "EVIL")](v "EVIL")', '[![](u)](v)'],
    ['[a](b\\ "EVIL")', '[a](b\\)'],
    ['([a](b(c)) "seen")', '([a](b(c)) "seen")'],
    ['[a](u "EVIL") [b](v \'EVIL\') [c](w (EVIL))', '[a](u) [b](v) [c](w)'],
    ['[a](<./b c> "EVIL") [a](< ./b> \'EVIL\')', '[a](<./b c>) [a](< ./b>)'],
    ['[a](b\\) "EVIL") [a](b\\( "EVIL")', '[a](b\\)) [a](b\\()'],
    ['[a](b(c)d "EVIL") [a](b\\\\ "EVIL")', '[a](b(c)d) [a](b\\\\)'],
    ['[a](u "x [b](v \'y\') z") seen', '[a](u) seen'],
    ['[a](\n  u\n  "EVIL"\n) seen', '[a](\n  u) seen'],
    ['([a](b) "seen") ([a](b) (seen))', '([a](b) "seen") ([a](b) (seen))'],
    ['[a](b "seen\n\ntoo")', '[a](b "seen\n\ntoo")'],
    ['> [a](b "seen\n> >\n> too")', '> [a](b "seen\n> >\n> too")'],
    ['[a](b "EVIL" seen', '[a](b "EVIL" seen'],
    ['[a](b', '[a](b'],
    [`[a](${'x'.repeat(2500)} "EVIL") [b](${'y'.repeat(2500)} 'EVIL')`, '[a](#) [b](#)'],
    [`[a](${'x'.repeat(1900)} "EVIL")`, `[a](${'x'.repeat(1900)})`],
  ],
  'alternative texts': [
    ['seen ![EVIL](u) too', 'seen ![](u) too'],
    ['seen ![EVIL\nEVIL](u) too', 'seen ![](u) too'],
    ['![EVIL ![EVIL](v) EVIL](u) seen', '![](u) seen'],
    ['![EVIL](u) seen ![EVIL](v)', '![](u) seen ![](v)'],
    ['![EVIL \\[ EVIL](u) seen', '![](u) seen'],
    ['![EVIL \\](EVIL) EVIL](u) seen', '![](u) seen'],
    ['![seen\n\ntoo](u)', '![seen\n\ntoo](u)'],
    ['> ![seen\n> >\n> too](u)', '> ![seen\n> >\n> too](u)'],
    ['!seen](u) [seen](u)', '!seen](u) [seen](u)'],
  ],
  'the line that opens code': [
    ['```ts EVIL\nseen\n```', '```ts\nseen\n```'],
    ['~~~~ c++ EVIL\nseen\n~~~~', '~~~~ c++\nseen\n~~~~'],
    ['1. ```js EVIL\n   seen\n   ```', '1. ```js\n   seen\n   ```'],
  ],
  'cells beyond the head of a table': [
    ['| a | b |\n| - | - |\n| c | d | EVIL |', '| a | b |\n| - | - |\n| c | d |'],
    ['| a |  \n| :-: |  \n| b | EVIL |  ', '| a |  \n| :-: |  \n| b |'],
    ['a|b\n-|---\nc|d|EVIL', 'a|b\n-|---\nc|d|'],
    ['| a || b |\n| - | - | - |\n| c | d | e | EVIL |', '| a || b |\n| - | - | - |\n| c | d | e |'],
    ['| a |\n| - |\n| b \\| seen |', '| a |\n| - |\n| b \\| seen |'],
    ['| a |\n| - |\n| b |\n \nc | seen', '| a |\n| - |\n| b |\n \nc | seen'],
    ['a | b\nc | d\ne | f | seen', 'a | b\nc | d\ne | f | seen'],
    ['a | b\n--- | x\ne | f | seen', 'a | b\n--- | x\ne | f | seen'],
    ['a | b\nx | -\ne | f | seen', 'a | b\nx | -\ne | f | seen'],
    ['a | b\n-x | -\ne | f | seen', 'a | b\n-x | -\ne | f | seen'],
    ['a | b\n--- | x-\ne | f | seen', 'a | b\n--- | x-\ne | f | seen'],
    ['a | b\n--- | -x\ne | f | seen', 'a | b\n--- | -x\ne | f | seen'],
    ['a | b | c\n- | -\ne | f | seen', 'a | b | c\n- | -\ne | f | seen'],
    ['a\n---\nb | seen', 'a\n---\nb | seen'],
    ['a\n\n|-|\nb | seen', 'a\n\n|-|\nb | seen'],
    ['a\n \n|-|\nb | seen', 'a\n \n|-|\nb | seen'],
    ['|-|\nb | seen', '|-|\nb | seen'],
    ['a\n:-\nb | EVIL', 'a\n:-\nb |'],
  ],
  'a footnote goes on without a blank line': [
    ['[^x]: EVIL\n#EVIL\n-EVIL\n1.EVIL\n2. EVIL\n`EVIL`\n~EVIL~\nEVIL - EVIL\n\nseen', 'seen'],
    ['[^x]: EVIL\nEVIL # EVIL\n    # EVIL\n\nseen', 'seen'],
    ['> [^x]: EVIL\n>EVIL\n> > EVIL\n\nseen', 'seen'],
  ],
  'another block ends a footnote': [
    ['[^x]: EVIL\n## seen', '## seen'],
    ['[^x]: EVIL\n- seen', '- seen'],
    ['[^x]: EVIL\n1. seen', '1. seen'],
    ['[^x]: EVIL\n```\nseen\n```', '```\nseen\n```'],
    ['[^x]: EVIL\n~~~\nseen\n~~~', '~~~\nseen\n~~~'],
    ['[^x]: EVIL\n<p>seen', '<p>seen'],
    ['>> [^x]: EVIL\n>> - seen', '>> - seen'],
    [' > [^x]: EVIL\n > # seen', '> # seen'],
    ['>[^x]: EVIL\n># seen', '># seen'],
  ],
  'behind a blank line a footnote goes on indented': [
    ['[^x]: EVIL\n  \nseen', 'seen'],
    ['[^x]: EVIL\n  \n    EVIL\nEVIL\n\nseen', 'seen'],
    ['[^x]: EVIL\n\n seen', 'seen'],
    ['[^x]: EVIL\n\nseen    too', 'seen    too'],
    ['seen\n\n    seen', 'seen\n\n    seen'],
  ],
  definitions: [
    ['[x]:\nu "EVIL\nEVIL"\nseen', 'seen'],
    ['[x]: \\#\nseen', 'seen'],
    ['[a]: <./u v> "EVIL\nEVIL"\nseen', 'seen'],
    ['[x]: # "EVIL\n"\nseen', 'seen'],
    ['[seen\n\ntoo]: u', '[seen\n\ntoo]: u'],
    ['[seen\\\n  \ntoo]: u', '[seen\\\n  \ntoo]: u'],
    ['[EVIL\\\nEVIL\nEVIL]: u\nseen', 'seen'],
    ['[a]: u\nseen (too)', 'seen (too)'],
    ['[a]: u\nit "seen"', 'it "seen"'],
    ['[a]: u "EVIL" seen\nseen', 'seen'],
    ['[a]: <u v> "EVIL\nEVIL"\nseen', 'seen'],
    ['[a]: u "EVIL\nEVIL\\"\nEVIL"\nseen', 'seen'],
    ['12. [a]: u\nseen', 'seen'],
    ['seen [a]: u', 'seen [a]: u'],
    ['seen [a\nb]: u', 'seen [a\nb]: u'],
    ['[seen\n \ntoo]: u', '[seen\n \ntoo]: u'],
    ['[seen\\\n\ntoo]: u', '[seen\\\n\ntoo]: u'],
    ['12. [a\nb]: u\nseen', 'seen'],
  ],
}

const cases = Object.entries(EXACT).flatMap(([what, pairs]) =>
  pairs.map(([text, left]) => ({ what, text, left })),
)

test.each(cases)('4.2 $what: $text', ({ text, left }) => {
  expect(sanitize(text)).toBe(left)
})

test('4.2 a carriage return alone ends a line as well', () => {
  expect(sanitize('[x]: #\r"EVIL"\rseen')).toBe('seen')
})

test('4.2 each level of nesting is taken out, down to where nobody writes in good faith', () => {
  const nested = (levels: number) => `seen ${'<!'.repeat(levels)}${'x>'.repeat(levels)}`
  expect(sanitize(nested(19))).toBe('seen')
  expect(sanitize(nested(21))).toBe('seen  !x>')
  expect(sanitize(nested(60))).not.toContain('<')
})

test('4.2 an alternative text goes at once with those that it holds', () => {
  expect(withoutAlternatives('![a ![b](v) c ![d](w)](u) seen')).toBe('![](u) seen')
})
