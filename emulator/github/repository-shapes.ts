import { hash, hex } from '../random.ts'
import { type ChangedFile, type ComparedCommit, emptyRepository, type Repository, userOf } from './model.ts'
import { below, type Links, type Schemas, userJson } from './shapes.ts'

const PATHS = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  hooks_url: '/hooks',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
} as const

const COUNTS = {
  forks_count: 0,
  stargazers_count: 0,
  watchers_count: 0,
  open_issues_count: 0,
  size: 1,
  forks: 0,
  open_issues: 0,
  watchers: 0,
  network_count: 0,
  subscribers_count: 0,
}

/** The whole of it; the answers that show less of a repository take it, too. */
export function repositoryJson(
  repo: Repository,
  { api, web }: Links,
): Schemas['full-repository'] & Schemas['repository'] & { readonly license: null } {
  const [owner = '', name = ''] = repo.name.split('/')
  const at = '2020-01-01T00:00:00Z'
  const html = `${web}/${repo.name}`
  return {
    id: repo.id,
    node_id: `R_${repo.id}`,
    name,
    full_name: repo.name,
    private: false,
    owner: userJson({ login: owner, type: 'User' }, { api, web }),
    html_url: html,
    description: null,
    fork: false,
    url: `${api}/repos/${repo.name}`,
    ...below(`${api}/repos/${repo.name}`, PATHS),
    git_url: `${html.replace(/^https?/, 'git')}.git`,
    ssh_url: `git@${new URL(web).host}:${repo.name}.git`,
    clone_url: `${html}.git`,
    svn_url: html,
    mirror_url: null,
    homepage: null,
    language: null,
    license: null,
    ...COUNTS,
    default_branch: repo.defaultBranch,
    is_template: false,
    topics: [],
    has_issues: repo.hasIssues,
    has_projects: true,
    has_wiki: true,
    has_pages: false,
    has_downloads: true,
    has_discussions: false,
    archived: false,
    disabled: false,
    visibility: 'public',
    allow_forking: true,
    web_commit_signoff_required: false,
    pushed_at: at,
    created_at: at,
    updated_at: at,
  }
}

/** A pull request remembers its repositories by name; one that the emulator does not hold is a fork. */
export function repositoryCalled(name: string, own: Repository): Repository {
  // What was its own stays its own when the name changes.
  return hash('repository', name) === own.id || name === own.name ? own : emptyRepository(name)
}

export function teamJson(slug: string, { api, web }: Links): Schemas['team-simple'] & Schemas['team'] {
  const id = hash('team', slug) % 1_000_000
  const url = `${api}/teams/${id}`
  return {
    id,
    node_id: `T_${id}`,
    url,
    html_url: `${web}/orgs/octo/teams/${slug}`,
    name: slug,
    slug,
    description: null,
    permission: 'pull',
    type: 'organization',
    members_url: `${url}/members{/member}`,
    repositories_url: `${url}/repos`,
    parent: null,
  }
}

export function commitJson(
  repo: Repository,
  commit: ComparedCommit,
  parents: readonly string[],
  date: string,
  links: Links,
): Schemas['commit'] {
  const { sha, message, login } = commit
  const api = `${links.api}/repos/${repo.name}`
  const name = login ?? 'someone'
  const author = login === undefined ? null : userJson(userOf(login), links)
  const signature = { name, email: `${name}@example.com`, date }
  const tree = hex(40, 'tree', sha)
  return {
    sha,
    node_id: `C_${sha}`,
    url: `${api}/commits/${sha}`,
    html_url: `${links.web}/${repo.name}/commit/${sha}`,
    comments_url: `${api}/commits/${sha}/comments`,
    commit: {
      url: `${api}/git/commits/${sha}`,
      message,
      author: signature,
      committer: signature,
      tree: { sha: tree, url: `${api}/git/trees/${tree}` },
      comment_count: 0,
    },
    author,
    committer: author,
    parents: parents.map((parent) => ({
      sha: parent,
      url: `${api}/commits/${parent}`,
      html_url: `${links.web}/${repo.name}/commit/${parent}`,
    })),
  }
}

export function fileJson(
  repo: Repository,
  ref: string,
  file: ChangedFile,
  links: Links,
): Schemas['diff-entry'] {
  const { filename, status = 'modified', additions = 1, deletions = 0, patch } = file
  const path = filename.split('/').map(encodeURIComponent).join('/')
  return {
    sha: hex(40, 'blob', filename),
    filename,
    status,
    additions,
    deletions,
    changes: additions + deletions,
    blob_url: `${links.web}/${repo.name}/blob/${ref}/${path}`,
    raw_url: `${links.web}/${repo.name}/raw/${ref}/${path}`,
    contents_url: `${links.api}/repos/${repo.name}/contents/${path}?ref=${ref}`,
    ...(patch === undefined ? {} : { patch }),
  }
}
