import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderMarkdown } from '../../emulator/github/render.ts'
import { htmlToText } from '../../src/prompt/html-to-text.ts'
import { runs } from '../helpers/property.ts'
import { isSeen, page, soup, wordsOf } from './markdown.ts'

const textOf = (markdown: string): string => htmlToText(renderMarkdown(markdown)).text

test('4.2 no hidden word is in the text, and no visible one is lost', () => {
  fc.assert(
    fc.property(page, (markdown) => {
      expect(wordsOf(textOf(markdown)).sort()).toEqual(wordsOf(markdown).filter(isSeen).sort())
    }),
    runs(300),
  )
})

test('4.2 no character is left that nobody sees', () => {
  // Joiners and variation selectors stay in some places: `HONEST` has them.
  const unseen =
    /(?!\p{Join_Control}|\p{Variation_Selector}|\u180e)\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|\p{Co}|[\u2028\u2029\u2800\ufff9-\ufffc]|(?![\n\t])\p{Cc}/u
  const markdown = fc.oneof(soup, fc.string({ unit: 'binary', maxLength: 60 }))
  fc.assert(
    fc.property(markdown, (text) => {
      const shown = textOf(text)
      expect([unseen.test(shown), shown.isWellFormed()]).toEqual([false, true])
      const raw = htmlToText(text).text
      expect([unseen.test(raw), raw.isWellFormed()]).toEqual([false, true])
    }),
    runs(200),
  )
})

test('4.2 code keeps each character', () => {
  const code = fc.string({ unit: fc.constantFrom(...'ab `~<>&|[]()*#-\n\t'), minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(code, (text) => {
      const html = `<pre>\n${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}\n</pre>`
      const [, fence = '', held] = /^(`{3,})\n([\s\S]*)\n\1$/.exec(htmlToText(html).text) ?? [
        '',
        '',
        text.trim() === '' ? text : '',
      ]
      expect(held).toBe(text)
      expect(fence === '' || !text.includes(fence)).toBe(true)
    }),
    runs(500),
  )
})
