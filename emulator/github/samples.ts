import { createRequire } from 'node:module'
import type { components } from '@octokit/openapi-types'
import type { WebhookDefinition } from '@octokit/webhooks-examples'

/** GitHub's own description of its answers: the compiler refuses one that lacks a required field. */
export type Schemas = components['schemas']

type Name = WebhookDefinition['name']
type Event<N extends Name, A extends string> = Extract<
  WebhookDefinition<N>['examples'][number],
  { readonly action: A }
>

/** Where the links of an answer lead: `api` for programs, `web` for people, `storage` for files. None ends in a slash. */
export interface Links {
  readonly api: string
  readonly web: string
  readonly storage: string
}

const definitions = createRequire(import.meta.url)(
  '@octokit/webhooks-examples',
) as readonly WebhookDefinition[]

/** Events as GitHub really sent them, oldest first. Those without actions have the action ''. */
export const eventsOf = (name: string, action: string) =>
  definitions
    .filter((definition) => definition.name === name)
    .flatMap(({ examples }): readonly object[] => examples)
    .filter((event) => ('action' in event ? event.action : '') === action)

/** The newest one has all fields. */
const newest = <N extends Name, A extends string>(name: N, action: A) =>
  eventsOf(name, action).at(-1) as Event<N, A>

const { pull_request: pull } = newest('pull_request', 'unlocked')
type Repository = typeof pull.base.repo
type MessageOfMerge = `${'squash_' | ''}merge_commit_${'title' | 'message'}`

/** What GitHub shows of things in a repository of one person: of its first issue, its second pull request and so on. */
export const SAMPLES = {
  pull,
  listedPull: newest('pull_request_review', 'submitted').pull_request,
  user: pull.user,
  // Without what the type knows and the sample does not have.
  repository: pull.base.repo as Omit<Repository, 'organization' | MessageOfMerge>,
  issue: newest('issues', 'unlocked').issue,
  issueComment: newest('issue_comment', 'edited').comment,
  reviewComment: newest('pull_request_review_comment', 'edited').comment,
  review: newest('pull_request_review', 'submitted').review,
  release: newest('release', 'published').release,
} as const

interface Whereabouts {
  /** `owner/name`, or a login. */
  readonly at: string
  readonly id: number
  /** Of the issue or pull request. */
  readonly number?: number
  /** Of the pull request's head. */
  readonly sha?: string
}

const [API, WEB, HOLDER, NAME] = ['https://api.github.com', 'https://github.com', 'Codertocat', 'Hello-World']

interface Mould {
  /** The sample as text, split where another thing of its kind says something else: at the odd places. */
  readonly pieces: readonly string[]
  /** By what they say there: GitHub shows the same things again and again. */
  readonly made: Map<string, unknown>
}

const moulds = new Map<object, Mould>()
const MOST_MADE = 200

function mouldOf(sample: { readonly id: number }): Mould {
  const known = moulds.get(sample)
  if (known !== undefined) return known
  const its = [API, WEB, HOLDER, NAME, sample.id, pull.head.sha, '(?<=/(?:issues|pulls?)/)[12]\\b']
  const mould = { pieces: JSON.stringify(sample).split(new RegExp(`(${its.join('|')})`)), made: new Map() }
  moulds.set(sample, mould)
  return mould
}

/** The sample as another thing of its kind, whose addresses lead to this GitHub. What is inside is shared. */
export function another<T extends { readonly id: number }>(
  sample: T,
  { api, web }: Links,
  { at, id, number = 0, sha = '' }: Whereabouts,
): T {
  const { pieces, made } = mouldOf(sample)
  const key = [api, web, at, id, number, sha].join(' ')
  if (!made.has(key)) {
    const [owner = '', name = ''] = at.split('/')
    const its: Readonly<Record<string, string>> = {
      ...{ [API]: api, [WEB]: web, [HOLDER]: owner, [NAME]: name },
      ...{ [sample.id]: String(id), [pull.head.sha]: sha },
    }
    const text = pieces.map((piece, place) => (place % 2 === 0 ? piece : (its[piece] ?? String(number))))
    if (made.size === MOST_MADE) made.clear()
    made.set(key, JSON.parse(text.join('')))
  }
  // Reactions would have to be counted: they go.
  return { ...(made.get(key) as T), node_id: `N_${id}`, reactions: undefined } as T
}
