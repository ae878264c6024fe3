import type { GitHub } from './github/github.ts'
import type { Settings } from './options.ts'
import { hex } from './random.ts'
import type { PullRequests } from './service/jobs.ts'

/** What the agent does to GitHub: a pull request for a job, and a commit more for each later turn. */
export function agentPullRequests(settings: Settings, github: GitHub): PullRequests {
  const { docsRepository, serverUrl, prAuthor } = settings
  const ofJob = new Map<string, number>()

  return {
    open(job, change) {
      const { title = `Update the docs (${job.id})`, body = 'Written by the docs agent.' } = change ?? {}
      const { number } = github.addPullRequest({
        repo: docsRepository,
        title,
        body,
        user: { login: prAuthor, type: 'Bot' },
        headRef: `docs-agent/${hex(8, settings.seed, job.id)}`,
        files: change?.files ?? [
          { filename: 'docs/retries.mdx', additions: 12, deletions: 3, patch: '@@ -1 +1 @@\n-old\n+new' },
        ],
      })
      ofJob.set(job.id, number)
      return `${serverUrl}/${docsRepository}/pull/${number}`
    },
    push(job, { files, ...text } = {}) {
      const number = ofJob.get(job.id) ?? 0
      const pull = github.repository(docsRepository)?.pulls.get(number)
      if (pull === undefined) return
      pull.commits += 1
      if (files !== undefined) pull.files = [...files]
      if (Object.keys(text).length > 0) github.editIssue(number, text, docsRepository)
    },
  }
}
