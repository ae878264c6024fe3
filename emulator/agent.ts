import type { GitHub } from './github/github.ts'
import type { Settings } from './options.ts'
import { hex } from './random.ts'
import type { PullRequests } from './service/jobs.ts'

/** What the agent does to GitHub: a pull request for a job, and a commit more for each later turn. */
export function agentPullRequests(settings: Settings, github: GitHub): PullRequests {
  const { docsRepository, serverUrl, prAuthor } = settings
  const ofJob = new Map<string, number>()

  return {
    open(job) {
      const { number } = github.addPullRequest({
        repo: docsRepository,
        title: `Update the docs (${job.id})`,
        body: 'Written by the docs agent.',
        user: { login: prAuthor, type: 'Bot' },
        headRef: `docs-agent/${hex(8, settings.seed, job.id)}`,
        files: [
          { filename: 'docs/retries.mdx', additions: 12, deletions: 3, patch: '@@ -1 +1 @@\n-old\n+new' },
        ],
      })
      ofJob.set(job.id, number)
      return `${serverUrl}/${docsRepository}/pull/${number}`
    },
    push(job) {
      const pull = github.repository(docsRepository)?.pulls.get(ofJob.get(job.id) ?? 0)
      if (pull) pull.commits += 1
    },
  }
}
