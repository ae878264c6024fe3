import { unusableAnswer } from '../base/errors.ts'
import { asArray, asObject, asString } from '../base/json.ts'
import type { RepositoryName } from '../base/link.ts'
import type { Octokit } from './octokit.ts'
import { CONTEXT_MS } from './retry-budget.ts'

interface WorkflowFile {
  /** Such as `.github/workflows/ci.yml`. */
  readonly path: string
  readonly text: string
}

const FOLDER = '.github/workflows'
/** https://docs.github.com/graphql/reference/objects#treeentry */
const QUERY = `query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { object(expression: "HEAD:${FOLDER}") { ... on Tree { entries { name object { ... on Blob { text } } } } } } }`

/** The workflow files of the default branch. @throws {GitHubError} where GitHub does not show them: it takes `contents: read` */
export async function readWorkflowFiles(
  octokit: Octokit,
  { owner, repo: name }: RepositoryName,
): Promise<readonly WorkflowFile[]> {
  const answer = await octokit.graphql(QUERY, { owner, name, request: { patienceMs: CONTEXT_MS } })
  const { object } = asObject(asObject(answer).repository)
  if (object === undefined) throw unusableAnswer('one without workflow files')
  return asArray(asObject(object).entries)
    .map(asObject)
    .map((entry) => ({
      path: `${FOLDER}/${asString(entry.name)}`,
      text: asString(asObject(entry.object).text),
    }))
    .filter(({ path }) => /\.ya?ml$/.test(path))
}
