import type { History } from './history.ts'
import type { Played } from './play.ts'
import type { Breach } from './rules.ts'
import { threadsOf } from './world.ts'

/** A story in full, for people who want to know how it came to its end. */
export function describeStory({ history, breaches }: Played): string {
  const { world, requests } = history
  const { seed } = world.story
  return [
    `━━ seed ${seed}: ${breaches.length === 0 ? 'everything holds' : 'a promise is broken'}`,
    ...breaches.map(describeBreach),
    section('choices', [JSON.stringify(world.story, null, 1)]),
    section('timeline', world.timeline),
    section(
      'threads in the end',
      threadsOf(world).flatMap((thread) => describeThread(history, thread)),
    ),
    section('outputs', requests.flatMap(describeRuns)),
    `Again: npm run simulate -- --seed ${seed} --runs 1`,
  ].join('\n\n')
}

export const describeBreach = ({ promise, rule, complaint }: Breach): string =>
  `✗ ${promise} ${rule}: ${complaint}`

const section = (title: string, lines: readonly string[]): string => [`── ${title}`, ...lines].join('\n')

function describeThread({ world }: History, thread: number): string[] {
  const { github } = world.emulator
  return github.comments(thread).flatMap(({ id, user, body }) => {
    // The crowd says nothing that matters here.
    if (/^An opinion, number \d+$/.test(body)) return []
    const reactions = github.reactions('issue', id).map(({ content }) => content)
    return [
      `#${thread} ${id} ${user.login} [${reactions.join(' ')}]`,
      ...body.split('\n').map((line) => `    ${line}`),
    ]
  })
}

const describeRuns = ({ runs }: History['requests'][number]): string[] =>
  runs.flatMap(({ main, post }) =>
    [main, ...(post === undefined ? [] : [post])].map(
      ({ name, footprint }) => `${name}: ${JSON.stringify(Object.fromEntries(footprint.outputs))}`,
    ),
  )
