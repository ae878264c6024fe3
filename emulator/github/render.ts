/** GitHub's sanitised HTML of GFM. */
export function renderMarkdown(markdown: string, _context?: { repository: string }): string {
  const escaped = markdown.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<p>${escaped}</p>`
}
