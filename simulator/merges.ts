import { hex } from '../emulator/random.ts'
import type { MergedKind } from './story.ts'
import { agentPulls, type Merge, REPOSITORY, type World } from './world.ts'

/**
 * Opens a pull request and merges it, or merges the agent's own.
 * @param nth of the commits of its push
 * @returns the SHA of the commit that this makes
 */
export function merge(world: World, kind: MergedKind, nth = 0): string {
  const { emulator, story, merges } = world
  const { github } = emulator
  if (kind === 'direct') return hex(40, story.seed, 'direct', nth, merges.length, world.clock.now())
  const own = kind === 'agent' ? openAgentPull(world) : undefined
  const number = own ?? opened(world, kind)
  github.closePullRequest(number, { merged: true })
  const { mergedAt, mergeCommitSha } = github.pull(number)
  const { title } = github.issue(number)
  const marker = /merged-\d+;|j_[\da-f]+/.exec(title)?.[0] ?? title
  const url = `https://github.com/${REPOSITORY}/pull/${number}`
  const found: Merge = { number, kind: kindOf(kind, own), at: Date.parse(mergedAt ?? ''), marker, url }
  merges.push(found)
  world.note(`people: merge #${number} (${kind})`)
  return mergeCommitSha ?? ''
}

/** Where the agent has nothing to merge, another bot has. */
const kindOf = (kind: Merge['kind'], own: number | undefined): Merge['kind'] =>
  kind === 'agent' && own === undefined ? 'bot' : kind

function openAgentPull(world: World): number | undefined {
  if (world.story.docsRepository !== REPOSITORY) return undefined
  return agentPulls(world).findLast((number) => world.emulator.github.issue(number).state === 'open')
}

function opened({ emulator, story, merges }: World, kind: MergedKind): number {
  const { number } = emulator.github.addPullRequest({
    title: `merged-${merges.length + 1}; ${story.title}`,
    body: story.body,
    user: kind === 'person' ? 'carol' : 'renovate[bot]',
    files: [{ filename: 'src/retry.ts', patch: `@@ -1 +1 @@\n+${story.title}` }],
  })
  return number
}
