import type { Act, Blow, Drawn, EventKind, Story, Trouble } from './story.ts'
import type { SweepEvent } from './sweep-events.ts'

// Stories as people would tell them.

const quoted = (text: string): string => JSON.stringify(text)

const span = (ms: number): string => {
  const [unit, size] = ms >= 7_200_000 ? ['h', 3_600_000] : ms >= 120_000 ? ['min', 60_000] : ['s', 1000]
  return `${Math.round((10 * ms) / Number(size)) / 10} ${unit}`
}

const listed = (fields: object): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? quoted(value) : JSON.stringify(value)}`)
    .join(', ')

const WHERE = {
  issue: 'the issue',
  pull: 'the pull request',
  agent: "the agent's pull request",
  tracking: 'the tracking issue',
}

/** What somebody does, before the place where it happens. */
const DOES: Readonly<Partial<Record<EventKind, string>>> = {
  ...{ help: 'types /docs help on', status: 'types /docs status on', chatter: 'talks about /docs on' },
  ...{
    bare: 'types /docs alone on',
    skip: 'types /docs skip on',
    'unclear-skip': 'types /docs skip and more on',
    edited: 'edits a comment on',
  },
  ...{ 'review-comment': 'types /docs on a line of', 'submitted-review': 'reviews, with a command,' },
  ...{ 'code-labeled': 'labels', 'code-pushed': 'pushes to', 'code-rebased': 'rebases' },
  ...{ 'code-forced': 'pushes by force to', 'code-reverted': 'takes the last push back from' },
  ...{
    'code-closed': 'closes',
    'code-merged': 'merges',
    'merge-pushed': 'pushes the merge of',
    'agent-pull': 'opens',
  },
  ...{ 'queue-checks': 'lets a merge queue check', 'queue-leaves': 'takes from the merge queue' },
  ...{ push: 'pushes to the branch, which reports to', release: 'publishes a release, which reports to' },
  ...{ schedule: 'leaves a schedule, which reports to', dispatch: 'starts the workflow for' },
}

function asked({
  author,
  sender,
  event,
  on,
  words,
  inputs,
  delayMs = 0,
  turn,
  workflow,
  merges,
}: Drawn): string {
  const where = typeof on === 'number' ? `#${on}` : WHERE[on]
  const what = DOES[event] ?? `types /docs ${event === 'new' ? 'new ' : ''}${quoted(words)} on`
  const { ending = 'completed', durationMs = 0, ...odd } = turn
  return [
    `${delayMs > 0 ? `${span(delayMs)} later ` : ''}${author} ${what} ${where}`,
    ...(sender === author ? [] : [`sent by ${sender}`]),
    ...(workflow.startsWith('Docs,') ? ['for another workflow'] : []),
    ...(merges.length > 0 ? [`merging ${merges.join(', ')}`] : []),
    ...(Object.keys(inputs).length > 0 ? [`with ${listed(inputs)}`] : []),
    `and the agent's turn is ${ending} after ${span(durationMs)}${Object.keys(odd).length > 0 ? ` (${listed(odd)})` : ''}`,
  ].join(', ')
}

function struckBy({ place, nth, effect }: Blow): string {
  const where = place === 'any' ? `instant ${nth}` : `${place} ${nth}`
  if (effect.kind === 'kill') return `is killed at ${where}`
  if (effect.kind === 'cancel') return `is cancelled at ${where}`
  if (effect.kind === 'interfere') return `meets people at ${where}: ${effect.interference}`
  if (effect.kind === 'away')
    return `finds ${effect.host} away for ${span(effect.ms)} from ${where} (${listed(effect.fault)})`
  if (effect.kind !== 'break') return effect.kind
  const { github, service } = effect.faults
  return `meets at ${where} GitHub's ${listed(github)}, or the service's ${listed(service)}`
}

function wrong(trouble: Trouble): string {
  if (trouble.kind === 'beside') return `a sweep comes ${span(trouble.afterMs)} after the next request begins`
  const [first, ...again] = trouble.attempts
  return [
    ...(first?.blows ?? []).map((blow) => `the next run ${struckBy(blow)}`),
    ...(first?.postBlows ?? []).map((blow) => `the next post step ${struckBy(blow)}`),
    ...(first?.post === 'lost' ? ['its runner is lost'] : []),
    ...again.map(({ gapMs }) => `somebody runs it again ${span(gapMs)} later`),
  ].join(', ')
}

const ABOUT = {
  ...{
    agent: "the agent's pull request",
    first: "the agent's first pull request",
    person: "a person's pull request",
  },
  ...{ fork: 'a fork', gone: 'a branch that is gone', cancelled: "the agent's pull request, cancelled" },
}

const toldEvent = ({ event, about, delayMs, after }: SweepEvent): string =>
  `${event} of ${ABOUT[about]} comes ${delayMs > 0 ? `${span(delayMs)} later` : 'at once'}${after === 'nothing' ? '' : ` after all ${after}`}`

/** One act. */
export function told(act: Act): string {
  if (act.kind === 'ask') return act.asks.map(asked).join('; at the same time ')
  if (act.kind === 'pass') return `${span(act.ms)} pass`
  if (act.kind === 'sweep') return `a sweep comes (${listed(act.sweep.inputs)})`
  if (act.kind === 'sweep-events') return act.events.map(toldEvent).join('; at the same time ')
  if (act.kind === 'again') return `somebody runs request ${act.nth + 1} again`
  if (act.kind === 'interfere') return `people: ${act.interference}`
  return wrong(act.trouble)
}

/** Where a story takes place, as far as it is not as usual. */
export function placeOf({ body: _body, seed: _seed, fixTurns: _turns, ...story }: Story): string {
  const odd = Object.entries(story).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(USUAL[name]),
  )
  return odd.length === 0 ? 'All is as usual.' : `Where ${listed(Object.fromEntries(odd))}:`
}

const USUAL: Readonly<Record<string, unknown>> = {
  docsRepository: 'octo/app',
  permissions: {
    issues: 'write',
    pull_requests: 'write',
    contents: 'read',
    statuses: 'write',
    actions: 'read',
  },
  title: 'Explain retries',
  crowd: 0,
  agentLogin: 'mintlify[bot]',
  agentSign: 'app',
  checks: [],
  followsPulls: false,
  inputs: {},
}
