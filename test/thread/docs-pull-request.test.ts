import { expect, test } from 'vitest'
import { jobWithId } from '../../src/record/job.ts'
import { leaveBacklink } from '../../src/thread/docs-pull-request.ts'
import type { Session } from '../../src/thread/session.ts'

const PULL = { owner: 'octo', repo: 'docs', number: 77, isHere: false }
const WORDS = 'octo/app#30 is merged. You can merge this one now.'

interface Given {
  /** When the comment with the same words was written; undefined for none. */
  readonly at?: number
  readonly body?: string
  readonly isNew?: boolean
  readonly since?: number
  /** What the event tells of its repository. */
  readonly repository?: object | undefined
  /** Undefined where GitHub does not tell. */
  readonly isPrivate?: boolean | undefined
}

const PUBLIC: Given = { repository: { private: false }, isPrivate: false }

/** @returns how many comments stand there now */
async function left(all: Given) {
  const { at, body = WORDS, repository, isPrivate, ...given } = { ...PUBLIC, ...all }
  const comments = at === undefined ? [] : [{ body, createdAt: at }]
  const threads = {
    listComments: async () => comments,
    createComment: async (_: number, text: string) => void comments.push({ body: text, createdAt: 100 }),
  }
  const session = {
    runner: { payload: { repository } },
    github: { threadsOf: () => threads, pullRequest: async () => ({ isPrivate }) },
  } as unknown as Session
  const record = {
    requestDigest: 'k',
    requestedAt: 0,
    reviewersSetOn: [],
    job: jobWithId('j'),
    acceptedAt: 0,
  }
  const link = { ...record, from: 30, text: WORDS, isThere: () => false, ...given }
  await leaveBacklink(session, PULL, link)
  return comments.length
}

test.each<[string, Given, number]>([
  ['once', {}, 1],
  ['not again', { at: 50 }, 1],
  ['not again, whatever white space GitHub puts around it', { at: 50, body: `\n${WORDS} \n` }, 1],
  ['again after the code was reopened and merged once more', { at: 50, since: 51 }, 2],
  ['not again after the second merge', { at: 52, since: 51 }, 1],
  ['not again within the second of the merge', { at: 51, since: 51 }, 1],
  ['beside other words', { at: 50, body: 'Thanks!' }, 2],
  ['never where the thread is private, and the pull request is not', { repository: { private: true } }, 0],
  [
    'never where the thread is private, and GitHub does not tell',
    { repository: { private: true }, isPrivate: undefined },
    0,
  ],
  ['where both are private', { repository: { private: true }, isPrivate: true }, 1],
  ['never where the event has no repository, and the pull request is public', { repository: undefined }, 0],
  ['never where the event does not tell, and the pull request is public', { repository: {} }, 0],
  ['never where the event tells it in another way', { repository: { private: 'true' } }, 0],
  ['where the event does not tell, and the pull request is private', { repository: {}, isPrivate: true }, 1],
])('5.5 a pull request in another repository is told %s', async (_, given, comments) => {
  expect(await left(given)).toBe(comments)
})
