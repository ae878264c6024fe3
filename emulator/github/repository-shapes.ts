import { hash, hex } from '../random.ts'
import { type ChangedFile, type ComparedCommit, emptyRepository, type Repository } from './model.ts'
import { another, type Links, SAMPLES, type Schemas } from './samples.ts'
import { type Place, userJson } from './shapes.ts'

/** Of what has no time of its own. */
const AT = '2020-01-01T00:00:00Z'

/** The whole of it; the answers that show less of a repository take it, too. */
export function repositoryJson(repo: Repository, links: Links) {
  const [owner = ''] = repo.name.split('/')
  return {
    ...another(SAMPLES.repository, links, { at: repo.name, id: repo.id }),
    owner: userJson({ login: owner, type: 'User' }, links),
    license: null,
    default_branch: 'main',
    has_issues: repo.hasIssues,
    has_discussions: false,
    archived: false,
    disabled: false,
    network_count: 0,
    subscribers_count: 0,
    pushed_at: AT,
    created_at: AT,
    updated_at: AT,
  } satisfies Schemas['full-repository'] & Schemas['repository']
}

/** A pull request remembers its repositories by name; one that the emulator does not hold is a fork. */
export function repositoryCalled(name: string, own: Repository): Repository {
  // What was its own stays its own when the name changes.
  return hash('repository', name) === own.id || name === own.name ? own : emptyRepository(name)
}

export function commitJson(
  { links, repo }: Place,
  commit: ComparedCommit,
  parents: readonly string[],
): Schemas['commit'] {
  const { sha, message } = commit
  const api = `${links.api}/repos/${repo.name}`
  const web = `${links.web}/${repo.name}/commit`
  const signature = { name: 'someone', email: 'someone@example.com', date: AT }
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
    author: null,
    committer: null,
    parents: parents.map((parent) => ({
      sha: parent,
      url: `${api}/commits/${parent}`,
      html_url: `${web}/${parent}`,
    })),
  }
}

export function fileJson({ links, repo }: Place, ref: string, file: ChangedFile): Schemas['diff-entry'] {
  const { filename, earlier, additions = 1, deletions = 0, patch } = file
  const path = filename.split('/').map(encodeURIComponent).join('/')
  return {
    sha: hex(40, 'blob', filename),
    filename,
    status: earlier === undefined ? 'modified' : 'renamed',
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
