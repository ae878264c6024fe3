import { hex } from '../random.ts'
import { type ChangedFile, type ComparedCommit, emptyRepository, LONG_AGO, type Repository } from './model.ts'
import { another, type Links, SAMPLES, type Schemas } from './samples.ts'
import { type Place, userJson } from './shapes.ts'

/** The whole of it; the answers that show less of a repository take it, too. */
export function repositoryJson(repo: Repository, links: Links) {
  const [owner = ''] = repo.name.split('/')
  return {
    ...another(SAMPLES.repository, links, { at: repo.name, id: repo.id }),
    owner: userJson({ login: owner, type: 'User' }, links),
    license: null,
    default_branch: 'main',
    private: repo.isPrivate,
    visibility: repo.isPrivate ? 'private' : 'public',
    has_issues: repo.hasIssues,
    has_discussions: false,
    archived: false,
    disabled: false,
    network_count: 0,
    subscribers_count: 0,
    pushed_at: LONG_AGO,
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
  } satisfies Schemas['full-repository'] & Schemas['repository']
}

/** A pull request remembers its repositories by name; one that the emulator does not hold is a fork. */
export const repositoryCalled = (name: string, own: Repository): Repository =>
  name === own.name ? own : emptyRepository(name)

export function commitJson(
  { links, repo }: Place,
  commit: ComparedCommit,
  parents: readonly string[],
): Schemas['commit'] {
  const { sha, message, author = null, at: date = LONG_AGO } = commit
  const api = `${links.api}/repos/${repo.name}`
  const web = `${links.web}/${repo.name}/commit`
  const name = author?.login ?? 'someone'
  const signature = { name, email: 'someone@example.com', date }
  const user = author === null ? null : userJson(author, links)
  const tree = hex(40, 'tree', sha)
  return {
    sha,
    node_id: `C_${sha}`,
    url: `${api}/commits/${sha}`,
    html_url: `${web}/${sha}`,
    comments_url: `${api}/commits/${sha}/comments`,
    commit: {
      url: `${api}/git/commits/${sha}`,
      message,
      author: signature,
      committer: signature,
      tree: { sha: tree, url: `${api}/git/trees/${tree}` },
      comment_count: 0,
    },
    author: user,
    committer: user,
    parents: parents.map((parent) => ({
      sha: parent,
      url: `${api}/commits/${parent}`,
      html_url: `${web}/${parent}`,
    })),
  }
}

export function fileJson({ links, repo }: Place, ref: string, file: ChangedFile): Schemas['diff-entry'] {
  const { filename, earlier, additions = 1, deletions = 0, patch } = file
  const { status = earlier === undefined ? 'modified' : 'renamed' } = file
  const path = filename.split('/').map(encodeURIComponent).join('/')
  return {
    sha: file.sha ?? hex(40, 'blob', filename, patch ?? ''),
    filename,
    status,
    ...(earlier === undefined ? {} : { previous_filename: earlier }),
    additions,
    deletions,
    changes: additions + deletions,
    blob_url: `${links.web}/${repo.name}/blob/${ref}/${path}`,
    raw_url: `${links.web}/${repo.name}/raw/${ref}/${path}`,
    contents_url: `${links.api}/repos/${repo.name}/contents/${path}?ref=${ref}`,
    ...(patch === undefined ? {} : { patch }),
  }
}
