import { expect } from 'vitest'
import type { Comment } from './person.ts'
import type { Run } from './runs.ts'

type Outputs = Readonly<Record<string, string>>

/** A green run of one step of the root action with these outputs. @returns all of them */
export function expectOutcome(run: Run, outputs: Outputs): Outputs {
  const [found = {}] = run.outputs
  expect({ conclusion: run.conclusion, outputs: found }, run.log).toMatchObject({
    conclusion: 'success',
    outputs,
  })
  return found
}

/** The one comment, which says that the agent opened or changed this pull request. */
export function expectResult(comments: readonly Comment[], link: string | undefined): void {
  expect(comments.map(({ body }) => body)).toEqual([expect.stringContaining(`](${link})`)])
  expect(comments[0]?.body).toMatch(/^\*\*✅ /)
}
