import { fixAttemptsOf, fixesOf } from './fixes.ts'
import { type History, outcomeOf, reasonOf } from './history.ts'
import type { Breach } from './rules.ts'
import type { Told } from './run.ts'
import { placeOf } from './tell.ts'
import { threadsOf } from './world.ts'

/** A story in full, for people who want to know how it came to its end. */
export function describeStory({ seed, about, history, breaches, happened }: Told): string {
  const { world, requests } = history
  return [
    `━━ seed ${seed}: ${breaches.length === 0 ? 'everything holds' : 'a promise is broken'}`,
    section(
      placeOf(world.story),
      happened.map((line, n) => `${n + 1}. ${line}`),
    ),
    ...breaches.map(describeBreach),
    section('timeline', world.timeline),
    section(
      'threads in the end',
      threadsOf(world).flatMap((thread) => describeThread(history, thread)),
    ),
    section('outputs', requests.flatMap(describeRuns)),
    `Again: npm run simulate -- --seed ${seed} --runs 1${about === 'any' ? '' : ` --about ${about}`}`,
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

const isUnwatched = ({ inputs }: History['requests'][number]): boolean =>
  inputs.wait === 'false' && fixAttemptsOf(inputs) > 0

/** What a story has played, by name. */
export function playedIn({ history }: Told): string[] {
  const { world, requests, sweeps, namedBySweeps } = history
  const { lives, faults, interferences, emulator } = world
  const mains = requests.flatMap(({ runs }) => runs.map(({ main }) => main))
  return [
    ...[
      'stories',
      ...sweeps.map(() => 'sweeps'),
      ...emulator.service
        .jobs()
        .slice(1)
        .map(() => 'jobs'),
    ],
    ...lives.flatMap(({ calls }) => calls.map(() => 'HTTP requests')),
    ...[...namedBySweeps.values()].map(() => 'events about checks'),
    ...fixesOf(history).map(({ life }) => `fixes sent by ${life.role === 'sweep' ? 'sweeps' : 'runs'}`),
    ...(requests.some(isUnwatched) ? ['stories in which no run waits for fixes'] : []),
    ...mains.map(
      (life) =>
        `run ends: ${life.fate === 'ended' ? `${outcomeOf(life)} ${reasonOf(life)}`.trim() : life.fate}`,
    ),
    ...lives.flatMap(({ role, killedAt }) => (killedAt === undefined ? [] : `${role} step is killed`)),
    ...lives.flatMap(({ role, cancelledAt }) =>
      cancelledAt === undefined ? [] : `${role} step is cancelled`,
    ),
    ...[...faults].flatMap(([name, times]) => Array.from({ length: times }, () => name)),
    ...interferences.map((name) => `people: ${name}`),
  ]
}
