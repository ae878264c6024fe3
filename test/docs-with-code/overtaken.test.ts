import { expect, test } from 'vitest'
import { inViewOfPushes } from '../../src/docs-with-code/overtaken.ts'
import { CAUSES } from '../../src/messages/notes.ts'
import { ending } from '../../src/request/outcome.ts'
import { IDENTITY } from '../request/helpers.ts'

test.each([
  ['a later push', 'b', CAUSES.laterPush],
  ['no push', 'a', CAUSES.cutShort],
])(
  '3.13 a cancelled run says that it was cut short by %s, also where that is said already',
  async (_, headSha, message) => {
    const session = { forge: { repository: {}, pullRequest: async () => ({ headSha }) } }
    const request = {
      identity: { ...IDENTITY, head: { sha: 'a', digest: '', step: '' } },
      thread: { number: 1 },
    }
    type Args = Parameters<typeof inViewOfPushes>
    const inView = (end: Args[2]) =>
      inViewOfPushes(session as unknown as Args[0], request as unknown as Args[1], end)
    const said = await inView(ending('cancelled'))
    expect(said).toEqual(ending('cancelled', '', message))
    expect(await inView(said)).toEqual(said)
  },
)
