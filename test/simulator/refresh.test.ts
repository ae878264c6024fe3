import { expect, test } from 'vitest'
import { type Act, type Ask, type Attempt, type Blow, CLEAR, type Sweep } from '../../simulator/story.ts'
import { TRACKING_TITLE, trackingIssues } from '../../simulator/world.ts'
import { ask, attempt, cancel, kill, storyOf } from '../helpers/story.ts'

const REFRESH = { 'issue-title': TRACKING_TITLE, 'changes-since': 'last-run', 'timeout-minutes': '60' }
const FINISH = { preview: 'true', reviewers: 'requester, bob, nobody-there', labels: 'docs' }
const MERGE: Act = { kind: 'interfere', interference: 'merge-change' }
const HOUR: Act = { kind: 'pass', ms: 3_600_000 }

const refresh = (n: number, attempts: readonly Attempt[], more: Partial<Ask> = {}): Ask =>
  ask(attempts, {
    id: `ask-${n}`,
    words: `refresh the docs (ask-${n};)`,
    event: 'dispatch',
    inputs: { ...REFRESH, ...FINISH },
    ...more,
  })

const asking = (...asks: readonly Ask[]): Act => ({ kind: 'ask', asks })

const sweep = (blows: readonly Blow[] = []): Sweep => ({
  skewMs: 0,
  weather: CLEAR,
  blows,
  inputs: { 'wait-minutes': '10' },
})

async function breachesOf(acts: readonly Act[], more: Parameters<typeof storyOf>[1] = {}) {
  const { played, mains, jobs } = await storyOf(acts, more)
  const outcomes = mains.map(({ footprint }) =>
    [footprint.outputs.get('outcome'), footprint.outputs.get('reason')].filter(Boolean).join(', '),
  )
  return { breaches: played.breaches, outcomes, jobs, issues: trackingIssues(played.history.world) }
}

/** More than the first run does. */
const REQUESTS = Array.from({ length: 36 }, (_, n) => n + 1)

test.each(['request', 'answer', 'body'] as const)(
  'a refresh that is killed at any %s leaves one issue, and the next one asks for what is missing',
  async (place) => {
    for (const nth of REQUESTS) {
      const killed = attempt({ blows: [kill(place, nth)], post: nth % 2 === 0 ? 'lost' : 'runs' })
      const acts = [MERGE, HOUR, asking(refresh(1, [killed])), MERGE, HOUR, asking(refresh(2, [attempt()]))]
      const { breaches, issues } = await breachesOf(acts)
      expect(breaches, `killed at ${place} ${nth}`).toEqual([])
      expect(issues.filter(({ state }) => state === 'open')).toHaveLength(1)
    }
  },
)

test('two refreshes at once share one issue, whenever one of them is killed', async () => {
  for (const nth of REQUESTS) {
    const killed = attempt({ blows: [kill('answer', nth)] })
    const acts = [MERGE, HOUR, asking(refresh(1, [killed]), refresh(2, [attempt()]))]
    const { breaches, issues } = await breachesOf(acts, { strangersIssue: true })
    expect(breaches, `killed at answer ${nth}`).toEqual([])
    expect(issues.filter(({ state }) => state === 'open')).toHaveLength(1)
  }
})

test('a refresh that is cancelled at any place changes nothing of what is true of others', async () => {
  for (const nth of REQUESTS) {
    const acts = [MERGE, HOUR, asking(refresh(1, [attempt({ blows: [cancel('answer', nth)] })])), MERGE, HOUR]
    const { breaches } = await breachesOf([...acts, asking(refresh(2, [attempt()]))])
    expect(breaches, `cancelled at answer ${nth}`).toEqual([])
  }
})

test('what is merged while a refresh reads the list is asked for by the next one', async () => {
  for (const nth of REQUESTS) {
    const meanwhile: Blow = {
      place: 'answer',
      nth,
      effect: { kind: 'interfere', interference: 'merge-change' },
    }
    const acts = [MERGE, asking(refresh(1, [attempt({ blows: [meanwhile] })])), HOUR]
    const { breaches } = await breachesOf([...acts, asking(refresh(2, [attempt()]))])
    expect(breaches, `merged at answer ${nth}`).toEqual([])
  }
})

test('a sweep that is woken and killed at any place leaves the rest to the next one', async () => {
  for (const nth of REQUESTS.slice(0, 20)) {
    const asked = asking(ask([attempt()], { inputs: { ...FINISH, wait: 'false' } }))
    const { breaches } = await breachesOf([asked, HOUR], { wake: sweep([kill('answer', nth)]) })
    expect(breaches, `killed at answer ${nth}`).toEqual([])
  }
})
