import { describe, expect, test } from 'vitest'
import { parseCommand } from '../../src/event/command.ts'
import { withoutPictures } from '../../src/event/pictures.ts'
import { processorMs } from '../helpers/processor-time.ts'

const ASSET = 'https://github.com/user-attachments/assets/0f1d-2a'

const PICTURES: Readonly<Record<string, readonly [markdown: string, rest: string]>> = {
  'in Markdown': ['a ![Screenshot](https://example.com/a.png) b', 'a  b'],
  'with a title and brackets': ['![a [b]](https://example.com/a_(1).png "t")', ''],
  'by a name': ['![alt][shot]', ''],
  'that leads somewhere': ['[![alt](a.png)](https://example.com)', ''],
  'in HTML': ['<img width="10" alt="a" src="https://example.com/a.png" />', ''],
  'a video that GitHub holds': [`a\n\n${ASSET}`, 'a\n\n'],
}

const NONE: Readonly<Record<string, string>> = {
  'in code': 'write `![alt](a.png)` there',
  'in longer code': 'write ``![`alt`](a.png)`` there',
  'in a block of code': 'write\n\n```md\n![alt](a.png)\n```',
  'a link': '[alt](https://example.com/a.png)',
  'a link to what GitHub holds': `[log](${ASSET})`,
  'a sign': 'wow![note] and ![] too',
}

describe('3.2 pictures in a comment', () => {
  test.each(Object.entries(PICTURES))('%s', (_, [markdown, rest]) => {
    expect(withoutPictures(markdown)).toEqual({ text: rest, pictures: 1 })
    expect(withoutPictures(`${markdown}\n${markdown}`)).toEqual({ text: `${rest}\n${rest}`, pictures: 2 })
  })

  test.each(Object.entries(NONE))('none: %s', (_, markdown) => {
    expect(withoutPictures(markdown)).toEqual({ text: markdown, pictures: 0 })
  })

  test.each([
    '![',
    '[![',
    '![a](',
    '` `` ',
    '<img ',
    '![[',
    '![a]((',
    '](',
    'https://github.com/user-attachments/assets/',
  ])('hostile ones are read at once: %s', (unit) => {
    const ofOneLine = unit.repeat(200_000)
    const ofLines = `${unit.repeat(9000 / unit.length)}\n`.repeat(7)
    for (const text of [ofOneLine, ofLines])
      expect(processorMs(() => withoutPictures(text))).toBeLessThan(1000)
  })

  test.each([
    ...Object.values(PICTURES).map(([markdown]) => markdown.replace(/^a | b$|^a\n\n/g, '')),
    'please\n\n![a](b)',
    '![a](b) ![c](d)\n\nthanks!',
    'new ![a](b)',
  ])('alone ask for words: %s', (asked) => {
    expect(parseCommand(`/docs ${asked}`, '/docs')?.kind).toBe('pictures')
    expect(parseCommand(`/docs\n\n${asked}`, '/docs')?.kind).toBe('pictures')
  })

  test.each([
    'explain ![a](b)',
    '![a](b)\n\nThis is wrong.',
    '`![a](b)`',
    'status ![a](b) of the build',
    'use ![logo](/logo.png) as the head of the page',
  ])('beside words are a request, as it is typed: %s', (asked) => {
    expect(parseCommand(`/docs ${asked}`, '/docs')).toMatchObject({ kind: 'prompt', prompt: asked })
  })
})
