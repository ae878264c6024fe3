/** `owner/name` as the parameters of GitHub's routes. */
export function repositoryParts(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/')
  return { owner, repo }
}
