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
  return {
    stories: views,
    focus: focusOf({ stories, verdict }),
    verdict: verdict ?? null,
  }
}

/** While the demo plays, where something happened last; once it has ended well, the thread that it begins with. */
function focusOf({ stories, verdict }: Pick<Stage, 'stories' | 'verdict'>): string {
  const runs = stories.flatMap((story, index) => story.runs.map((run) => ({ run, index })))
  const first = verdict === '' ? runs.find(({ run }) => run.thread !== undefined) : undefined
  const { run, index } = first ?? runs.at(-1) ?? {}
  if (run === undefined || index === undefined) return ''
  return run.thread ? threadKey(index, run.thread.repository, run.thread.number) : runKey(index, run.id)
}
