import type { Story } from '../../stage.ts'
import { resolver } from './links.ts'
import { toHtml } from './markdown.ts'

/** Markdown of one story as sanitised HTML. */
export type Render = (markdown: string, repository: string, kind: 'comment' | 'summary') => string

interface Cache {
  readonly known: string
  readonly pages: Map<string, string>
}

const caches = new WeakMap<Story, Cache>()

/** What has not changed is not rendered again, unless there is more that a link can lead to. */
export function renderer(story: Story, index: number): Render {
  const { serverUrl } = story.emulator.settings
  const resolve = resolver(story, index)
  const { pages } = cacheOf(story)
  return (markdown, repository, kind) => {
    const key = `${kind} ${repository} ${markdown}`
    const html =
      pages.get(key) ?? toHtml(markdown, { repository, serverUrl, resolve, breaks: kind === 'comment' })
    pages.set(key, html)
    return html
  }
}

function cacheOf(story: Story): Cache {
  const { github, settings } = story.emulator
  const threads = [settings.repository, settings.docsRepository].map(
    (name) => github.repository(name)?.issues.size,
  )
  const known = [story.runs.length, ...threads].join()
  const cached = caches.get(story)
  if (cached?.known === known) return cached
  const fresh = { known, pages: new Map<string, string>() }
  caches.set(story, fresh)
  return fresh
}
