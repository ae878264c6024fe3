import { describe, expect, test } from 'vitest'
import { toHtml } from '../../scripts/demo/page/view/markdown.ts'

const SHOWN: Readonly<Record<string, string>> = {
  '/octo/docs/issues/77': '1/octo/docs/77',
  '/octo/docs/pull/77': '1/octo/docs/77',
  '/octo/app/issues/12': '1/octo/app/12',
}
const place = {
  repository: 'octo/app',
  serverUrl: 'https://github.com',
  resolve: (path: string) => SHOWN[path],
  breaks: true,
}
const html = (markdown: string): string => toHtml(markdown, place)

describe('what strangers write', () => {
  test.each([
    ['a script', '<script>alert(1)</script>'],
    ['a handler', '<b onclick="alert(1)">b</b><a href="x" onmouseover="alert(1)">a</a>'],
    ['a picture', '![x](https://example.com/x.png) <img src=x onerror=alert(1)>'],
    ['a frame', '<iframe src="https://example.com"></iframe><object data="x"></object>'],
    ['a style', '<style>body{display:none}</style><p style="position:fixed">p</p>'],
    ['a form', '<form action="https://example.com"><button>b</button></form>'],
    ['a script for a link', '[x](javascript:alert(1)) <a href="data:text/html,x">y</a>'],
  ])('%s does not reach the page', (_, markdown) => {
    expect(html(markdown)).not.toMatch(
      /<(script|img|iframe|object|style|form|button)|\son\w+=|style=|javascript:|data:/,
    )
  })

  test('what stands in a fence is text', () => {
    expect(html('```text\n<img src=x onerror=alert(1)>\n@alice octo/docs#77\n```')).toBe(
      '<pre><code class="language-text">&#x3C;img src=x onerror=alert(1)>\n@alice octo/docs#77\n</code></pre>',
    )
  })

  test('a fence within a longer fence does not end it', () => {
    expect(html('````text\n```\n**bold**\n```\n````')).not.toContain('<strong>')
  })
})

test('the record is hidden', () => {
  expect(html('Done.\n\n<!-- docs-agent v1 job=j_1 -->')).toBe('<p>Done.</p>')
})

test('an end of line breaks the line in a comment, and not in a summary', () => {
  expect(html('**a\nb**\nc')).toBe('<p><strong>a<br>\nb</strong><br>\nc</p>')
  expect(toHtml('a\nb', { ...place, breaks: false })).toBe('<p>a\nb</p>')
})

test('folded text and small print stay', () => {
  expect(html('<details><summary>Prompt</summary>\n\nx\n\n</details>\n\n<sub>job</sub>')).toMatch(
    /^<details><summary>Prompt<\/summary>\s*<p>x<\/p>\s*<\/details>\s*<p><sub>job<\/sub><\/p>$/,
  )
})

test('an alert is marked for the style sheet, and a plain quotation is not', () => {
  expect(html('> [!WARNING]\n> There is no **preview**.')).toMatch(
    /^<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">Warning<\/p>\s*<p>.*There is no <strong>preview/s,
  )
  expect(html('> [WARNING]\n> text')).toMatch(/^<blockquote>/)
})

describe('links', () => {
  test.each([
    ['octo/docs#77', '<a href="#/1/octo/docs/77">octo/docs#77</a>'],
    ['#12', '<a href="#/1/octo/app/12">#12</a>'],
    ['https://github.com/octo/docs/pull/77', '<a href="#/1/octo/docs/77">octo/docs#77</a>'],
    ['[it](https://github.com/octo/docs/pull/77)', '<a href="#/1/octo/docs/77">it</a>'],
  ])('%s leads to the thread on the page', (markdown, link) => {
    expect(html(markdown)).toBe(`<p>${link}</p>`)
  })

  test.each([
    '@alice',
    'octo/docs#78',
    'https://github.com/octo',
    '[x](https://GitHub.com/octo)',
    '<a href="//github.com/octo">x</a>',
    '[x](/state)',
    '[x](#/1/octo/app/12)',
    'mailto:alice@example.com',
  ])('%s does not lead to strangers of that name, nor around the page', (markdown) => {
    expect(html(markdown)).not.toContain('<a')
  })

  test('a mention stands out', () => {
    expect(html('@alice')).toBe('<p><span><strong>@alice</strong></span></p>')
  })

  test('other sites open in a new tab, and get no referrer', () => {
    expect(html('[x](https://example.com/a)')).toBe(
      '<p><a href="https://example.com/a" target="_blank" rel="noopener noreferrer nofollow">x</a></p>',
    )
  })
})
