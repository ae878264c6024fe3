import { expect, test } from 'vitest'
import { codeWorld, FIRST, file, pushes } from '../helpers/code-world.ts'
import { testMatrix } from '../helpers/matrix.ts'
import { ISSUE, ownWorld, type World } from '../helpers/world.ts'

// What a run costs does not grow with what its thread has seen, but for the pages of the lists of comments.

/** Requests to GitHub of what runs: those that list comments, and the others, without their ids. */
async function costOf(emulator: World, run: () => Promise<unknown>) {
  emulator.clearRequests()
  await run()
  const calls = emulator.calls('github').map((call) => call.replace(/[\da-f]{40}|\d{7,}/g, 'ID'))
  const isList = (call: string) => /^GET .*\/issues\/(\d+\/)?comments$/.test(call)
  return { lists: calls.filter(isList).length, others: calls.filter((call) => !isList(call)).toSorted() }
}

testMatrix([[11], [31]], (at) => at === 0)('3.13 push %i costs what the 3rd did', async (pushed) => {
  const emulator = codeWorld({ docsRepository: 'octo/app' })
  const costs: Awaited<ReturnType<typeof costOf>>[] = []
  for (let nth = 1; nth <= pushed; nth++) {
    const commit = [file('src/limit.ts', `change ${nth}`)]
    costs.push(await costOf(emulator, () => pushes(emulator, { files: [...FIRST, ...commit], commit })))
  }
  const [third, last] = [costs[2], costs.at(-1)]
  expect(third?.others).toContain('POST /repos/octo/app/statuses/ID')
  expect(last?.others).toEqual(third?.others)
  // The hundred comments of the repository that changed last take four requests, of which the 3rd push needed one.
  expect(last?.lists).toBeLessThanOrEqual((third?.lists ?? 0) + 3)
})

/**
 * A list of up to a hundred comments takes one request; one of several pages is read from its end, and its last page again. What
 * changed since then takes one.
 */
test.each([
  [10, 3],
  [89, 3],
  [150, 4 + 1 + 1],
  [2499, 1 + 25 + 1 + 1 + 1],
])(
  'a first command below %i comments takes %i requests for the list, and else what it takes below one',
  async (above, lists) => {
    const below = async (comments: number) => {
      const emulator = ownWorld()
      for (let nth = 0; nth < comments; nth++)
        emulator.github.addComment(ISSUE, { login: 'carol', body: `Comment ${nth}` })
      await emulator.pass(3_600_000)
      return await costOf(emulator, () => emulator.ask('/docs explain retries'))
    }
    const one = await below(1)
    expect(await below(above)).toEqual({ ...one, lists })
  },
)
