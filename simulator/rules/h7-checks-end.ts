import { canRemember } from '../history.ts'
import { withoutRecord } from '../records.ts'
import { threadsOf, written } from '../world.ts'
import type { Rule } from './rule.ts'

const GOES_ON = /Its checks are (looked at when CI ends|running)|Failures go back to the agent/

/** Once CI is quiet, or a day has passed, and sweeps have been, nothing says that checks are still followed. */
const checksEnd: Rule = {
  promise: 'H7',
  name: 'checks-come-to-an-end',
  afterSweeps(history) {
    const { world, requests } = history
    if (world.story.collects === undefined) return []
    return threadsOf(world).flatMap((thread) => {
      const asked = requests.filter((request) => request.thread === thread)
      if (world.touched.has(thread) || asked.some((request) => !canRemember(history, request))) return []
      return written(world, thread).flatMap(({ id, body }) => {
        // What somebody wanted to know was so then.
        if (body.startsWith('**ℹ️ ')) return []
        const [words] = GOES_ON.exec(withoutRecord(body).replace(/<details>[\s\S]*<\/details>/, '')) ?? []
        return words === undefined ? [] : [`#${thread} says in ${id} to the end: ${words}`]
      })
    })
  },
}

export const H7_OF_CHECKS: readonly Rule[] = [checksEnd]
