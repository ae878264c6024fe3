import { json } from '../http.ts'
import type { RepoHandler, RepoRoute } from './api.ts'
import { notFound } from './errors.ts'
import type { ChangedFile, Commit, Comparison, Repository } from './model.ts'
import { pageOf } from './paging.ts'
import { commitJson, fileJson } from './repository-shapes.ts'
import type { Schemas } from './samples.ts'

/** GitHub lists at most so many files of a comparison, all on its first page. */
const MAX_COMPARED_FILES = 300
const COMPARED_COMMITS = 250

/** A commit by its SHA, or by the branch whose head it is. */
export function shaOf({ branches, pulls }: Repository, ref: string): string | undefined {
  if (/^[0-9a-f]{40}$/.test(ref)) return ref
  return branches.get(ref) ?? [...pulls.values()].findLast(({ head }) => head.ref === ref)?.head.sha
}

/** What its own commits say; `undefined` where they have nothing in common. */
function compared(repo: Repository, base: string, head: string): Comparison | undefined {
  const [old, young] = [base, head].map((ref) => lineOf(repo, shaOf(repo, ref)))
  const common = young?.find(({ sha }) => old?.some((commit) => commit.sha === sha))
  if (!old || !young || !common) return undefined
  const until = (line: readonly Commit[]) => line.findIndex(({ sha }) => sha === common.sha)
  const commits = young.slice(0, until(young)).reverse()
  const files = new Map<string, ChangedFile>()
  for (const file of commits.flatMap((commit) => commit.files)) files.set(file.filename, file)
  return { commits, files: [...files.values()], behindBy: until(old), mergeBase: common.sha }
}

/** A commit and all before it, the newest first. */
function lineOf({ commits }: Repository, sha: string | null | undefined): Commit[] {
  const line: Commit[] = []
  for (let next = commits.get(sha ?? ''); next; next = commits.get(next.parent ?? '')) line.push(next)
  return line
}

const compare: RepoHandler = (call) => {
  const { links, param, repo } = call
  const range = param('range')
  const [base = '', head = ''] = range.split('...')
  const found = repo.comparisons.get(range) ?? compared(repo, base, head)
  if (!found) throw notFound()
  const { commits, behindBy = 0, mergeBase = base } = found
  const all = commits.map((commit, at) => commitJson(call, commit, [commits[at - 1]?.sha ?? mergeBase]))
  const { items, page, headers } = pageOf(call, all, COMPARED_COMMITS, COMPARED_COMMITS)
  const web = `${links.web}/${repo.name}/compare/${range}`
  const known = (ref: string) => repo.commits.get(shaOf(repo, ref) ?? '') ?? { sha: ref, message: 'Before' }
  const files = page === 1 ? found.files.slice(0, MAX_COMPARED_FILES) : []
  const body: Schemas['commit-comparison'] = {
    url: `${links.api}/repos/${repo.name}/compare/${range}`,
    html_url: web,
    permalink_url: web,
    diff_url: `${web}.diff`,
    patch_url: `${web}.patch`,
    base_commit: commitJson(call, known(base), []),
    merge_base_commit: commitJson(call, known(mergeBase), []),
    status: statusOf(commits.length, behindBy),
    ahead_by: commits.length,
    behind_by: behindBy,
    total_commits: commits.length,
    commits: [...items],
    files: files.map((file) => fileJson(call, head, file)),
  }
  return json(200, body, headers)
}

function statusOf(ahead: number, behind: number): Schemas['commit-comparison']['status'] {
  if (ahead > 0) return behind > 0 ? 'diverged' : 'ahead'
  return behind > 0 ? 'behind' : 'identical'
}

/** Two commits against one another. */
export const COMPARE: readonly RepoRoute[] = [['GET', '/compare/:range', ['contents'], compare]]
