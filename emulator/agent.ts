import type { GitHub } from './github/github.ts'
import type { Settings } from './options.ts'
import type { PullRequests } from './service/turn.ts'

/** What the agent does to GitHub: a pull request for a job, and a commit more for each later turn. */
export function agentPullRequests(settings: Settings, github: GitHub): PullRequests {
  const { docsRepository, serverUrl, prAuthor, prCommitAuthor: by = prAuthor, prApp: app = null } = settings
  const ofJob = new Map<string, number>()

  return {
    open(job, change = {}) {
      const { title = `Update the docs (${job.id})`, body = 'Written by the docs agent.' } = change
      const { number } = github.addPullRequest({
        repo: docsRepository,
        title,
        body,
        ...{ user: prAuthor, by, app },
        headRef: job.branch,
        isChecked: true,
        conflicts: change.conflicts ?? false,
        files: change.files ?? [
          { filename: 'docs/retries.mdx', additions: 12, deletions: 3, patch: '@@ -1 +1 @@\n-old\n+new' },
        ],
      })
      ofJob.set(job.id, number)
      return `${serverUrl}/${docsRepository}/pull/${number}`
    },
    push(job, change = {}) {
      const { files: _files, commit: _commit, conflicts: _conflicts, ...text } = change
      const number = ofJob.get(job.id)
      if (number === undefined) return
      github.push(number, { ...change, by }, docsRepository)
      if (Object.keys(text).length > 0) github.editIssue(number, text, docsRepository)
    },
  }
}
