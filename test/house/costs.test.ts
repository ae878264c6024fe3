import { describe, expect, test } from 'vitest'
import { words } from '../../src/text.ts'
import { filesLike, fileText } from './files.ts'

/** All figures of the pages come from here. */
const FACTS = {
  /** Averages of Mintlify's own automations, as its page on credits said in August 2026, and of the readers' assistant. */
  credits: { change: 180, gaps: 212, links: 285, slack: 110, translation: 913, answer: 23 },
  /** What a Pro plan adds a month, and what one more costs in dollars: the same page. */
  pool: 10_000,
  dollarsPerCredit: 0.01,
  /** Estimates in minutes; the half is how long the checks must be quiet, in `src/checks`. */
  minutes: { agent: 8, checks: 5, quiet: 0.5, rest: 20 / 60 },
  /** Of a job that is started without waiting, and of the run that a sweep's wake-up takes. */
  started: { start: 1, wakeUp: 2 },
  weeksInMonth: 52 / 12,
} as const

const { credits, minutes, pool } = FACTS
/** A job that the run waits for. GitHub bills each job of a workflow in whole minutes. */
const WAITED = Math.ceil(minutes.agent + minutes.rest)
const checked = (rounds: number): number =>
  Math.ceil(minutes.rest + (rounds + 1) * (minutes.agent + minutes.checks + minutes.quiet))

/** Its first event and two pushes, a minute for a rebase and a minute for its end. */
const PULL_REQUEST = [3 * credits.change, 3 * checked(0) + 2] as const

/** Credits and minutes of the rows of the page, by how they begin. */
const CASES: Readonly<Record<string, readonly [number, number]>> = {
  '`/docs …` whose checks pass': [credits.change, checked(0)],
  '`/docs …` with two rounds': [3 * credits.change, checked(2)],
  'pull request with': PULL_REQUEST,
  'push with merged-pull-requests.yml': [credits.change, WAITED],
  'weekly-refresh.yml': [credits.change + credits.gaps, checked(0)],
  // And a minute for the check of the links.
  'link-check.yml': [credits.links, WAITED + 1],
  // A small job and its follow-up; its minutes are an estimate.
  '[live run]': [2 * credits.change, 20],
}

const COSTS = 'docs/costs.md'
const [MONTH = '', PRICES = ''] = fileText(COSTS).split('\n## One run\n')
const numberOf = (text = ''): number => Number(text.replaceAll(',', '').replace(/ .*/, ''))
const dollarsOf = (amount: number): string => `$${(amount * FACTS.dollarsPerCredit).toFixed(2)}`
const oneLineOf = (file: string): string => words(fileText(file)).join(' ')
const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/^\| (.+) \|$/gm)].slice(2).map(([, row = '']) => row.split(' | '))

describe('docs/costs.md', () => {
  test('its table follows from the facts', () => {
    const shown = rowsOf(PRICES).map(([name = '', ...figures]) => {
      const begin = Object.keys(CASES).find((start) => name.startsWith(start)) ?? name
      return [begin, numberOf(figures[0]), figures[1], numberOf(figures[2])]
    })
    const expected = Object.entries(CASES).map(([name, [cost, time]]) => [name, cost, dollarsOf(cost), time])
    expect(shown).toEqual(expected)
  })

  test('so do its months, beside what the plan has and what readers take', () => {
    for (const [requests, pulls, cost, left, above] of rowsOf(MONTH)) {
      const sum = numberOf(requests) * credits.change + numberOf(pulls) * PULL_REQUEST[0]
      const answers = Math.max(0, Math.floor((pool - sum) / credits.answer))
      expect([numberOf(cost), left, above]).toEqual([sum, `${answers}`, dollarsOf(Math.max(0, sum - pool))])
    }
    expect(rowsOf(MONTH).length).toBeGreaterThan(3)
  })

  test('its sentences have the same facts', () => {
    const [, cron = ''] = /cron: '\d+ (\S+ \* \* \S+)'/.exec(fileText('examples/collect.yml')) ?? []
    const [hours = '', , , days = ''] = cron.split(' ')
    const span = (range: string): number => {
      const [from = 0, to = 0] = range.split('-').map(Number)
      return to - from + 1
    }
    const sweeps = span(hours) * span(days)
    const collected = FACTS.started.start + FACTS.started.wakeUp
    const paysOff = Math.ceil(sweeps / (WAITED - collected))
    const page = oneLineOf(COSTS)
    for (const phrase of [
      `${pool.toLocaleString('en')} credits a month`,
      `about ${credits.answer} for an answer`,
      `costs $${FACTS.dollarsPerCredit},`,
      `from ${credits.slack} (a request in Slack) to ${credits.translation} (a translation)`,
      `${minutes.agent} minutes for the agent, ${minutes.checks} for checks, half a minute`,
      `${Math.round(minutes.rest * 60)} seconds for the rest`,
      `waits costs ${WAITED} minutes`,
      `costs ${collected}, plus ${sweeps} a week`,
      `from ${paysOff} jobs a week`,
      `no \`fix-attempts\`: ${WAITED} minutes`,
    ]) {
      expect(page).toContain(phrase)
    }
  })
})

test('README.md gives a month of ten requests a week', () => {
  const requests = 10 * FACTS.weeksInMonth
  const time = Math.ceil((requests * checked(0)) / 10) * 10
  expect(oneLineOf('README.md')).toContain(
    `about ${(requests * credits.change).toLocaleString('en')} of the ${pool.toLocaleString('en')} credits that a Pro plan includes each month, and ${time} runner minutes`,
  )
})

test('other pages leave dollars and credits to this one', () => {
  const pages = [...filesLike('*.md'), ...filesLike('{docs,collect,insights,visitors,examples}/*.md')]
  const others = pages
    .filter((file) => file !== COSTS && file !== 'README.md')
    .map((file) => ({ file, found: oneLineOf(file).match(/\$\d[\d.,]*|[\d,]+ credits/g) ?? [] }))
  expect(others.filter(({ found }) => found.length > 0)).toEqual([])
})
