import type { Stage } from '../../stage.ts'
import { runKey, threadKey } from './links.ts'
import { renderer } from './render.ts'
import { runView } from './run.ts'
import type { State, StoryView } from './state.ts'
import { threadViews } from './thread.ts'

/** All that the page shows, as it stands. */
export function snapshot({ stories, verdict }: Stage): State {
  const views = stories.map((story, index): StoryView => {
    const context = { story, index, render: renderer(story, index) }
    return {
      title: story.title,
      threads: threadViews(context),
      runs: story.runs.map((run) => runView(run, context)),
    }
  })
  return { stories: views, focus: focusOf(stories), verdict: verdict ?? null }
}

function focusOf(stories: Stage['stories']): string {
  const index = stories.findLastIndex(({ runs }) => runs.length > 0)
  const run = stories[index]?.runs.at(-1)
  if (run === undefined) return ''
  return run.thread ? threadKey(index, run.thread.repository, run.thread.number) : runKey(index, run.id)
}
