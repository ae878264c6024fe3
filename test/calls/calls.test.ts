import { expect, test } from 'vitest'
import { played } from './page.ts'
import { PLAYS } from './plays.ts'

const INTRODUCTION = `# All calls of a run

Each section is a play on the emulator: its requests to GitHub and to the service in order, and below them how its runs
end. A line with \`&\` goes out before the line above it is answered: such lines are one round trip, in any order. The name
of the step stands first where there are several. Behind \`·\` stands what is written or asked (of a comment, the state of
its record), behind \`→\` a status other than 2xx. Lines that repeat one after the other stand there once. Ids are made up.

\`npx vitest run test/calls -u\` writes this page anew. Read what changes.`

test('each play, call by call', async () => {
  const sections: string[] = []
  for (const [title, play] of Object.entries(PLAYS)) sections.push(await played(title, play))
  await expect(`${[INTRODUCTION, ...sections].join('\n\n')}\n`).toMatchFileSnapshot('calls.md')
})
