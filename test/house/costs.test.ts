import { describe, expect, test } from 'vitest'
import { words } from '../../src/text.ts'
import { filesLike, fileText } from './files.ts'

/** All figures of the pages come from here. */
const FACTS = {
  /** Averages of Mintlify's own automations, as its page on credits said in August 2026. */
  credits: { change: 180, gaps: 212, release: 223, links: 285, slack: 110, translation: 913 },
  /** What a Pro plan adds a month, and what one more costs in dollars: the same page. */
  pool: 10_000,
  dollarsPerCredit: 0.01,
  /** Estimates in minutes; the half is how long the checks must be quiet, in `src/checks`. */
  minutes: { agent: 8, checks: 5, quiet: 0.5, rest: 20 / 60 },
  /** Of a job that is started without waiting, and of the run that a sweep's wake-up takes. */
  started: { start: 1, wakeUp: 2 },
  weeksInMonth: 52 / 12,
} as const

interface Figures {
  readonly credits: number
  readonly minutes: number
}

const { credits, minutes } = FACTS
/** A job that the run waits for. GitHub bills each job of a workflow in whole minutes. */
const WAITED = Math.ceil(minutes.agent + minutes.rest)
const checked = (rounds: number): number =>
  Math.ceil(minutes.rest + (rounds + 1) * (minutes.agent + minutes.checks + minutes.quiet))
const upToTen = (n: number): number => Math.ceil(n / 10) * 10

const COMMAND: Figures = { credits: credits.change, minutes: checked(0) }
/** Its first event and two pushes, a minute for a rebase and a minute for its end. */
const PULL_REQUEST: Figures = { credits: 3 * credits.change, minutes: 3 * checked(0) + 2 }
const MONTH: Figures = {
  credits: Math.round(10 * COMMAND.credits * FACTS.weeksInMonth),
  minutes: upToTen(10 * COMMAND.minutes * FACTS.weeksInMonth),
}
/** A small job and its follow-up; its minutes are an estimate. */
const LIVE_RUN: Figures = { credits: 2 * credits.change, minutes: 20 }

/** The rows of the page, by how they begin. */
const CASES: Readonly<Record<string, Figures>> = {
  '`/docs …` whose checks pass': COMMAND,
  '`/docs …` with a round of fixes': { credits: 2 * credits.change, minutes: checked(1) },
  '`/docs …` with two rounds': { credits: 3 * credits.change, minutes: checked(2) },
  'pull request with': PULL_REQUEST,
  'push with merged-pull-requests.yml': { credits: credits.change, minutes: WAITED },
  'weekly-refresh.yml': { credits: credits.change + credits.gaps, minutes: checked(0) },
  // And a minute for the check of the links.
  'link-check.yml': { credits: credits.links, minutes: WAITED + 1 },
  'release-notes.yml': { credits: credits.release, minutes: WAITED },
  'several-projects.yml with two projects': { credits: 2 * credits.change, minutes: 2 * WAITED },
  'month with ten': MONTH,
}

/** What other pages say of costs, in their order. */
const MENTIONS: Readonly<Record<string, readonly Figures[]>> = {
  'README.md': [COMMAND, MONTH, LIVE_RUN],
  'docs/docs-with-the-code.md': [PULL_REQUEST],
  'docs/trying-it-out.md': [LIVE_RUN],
}

const COSTS = 'docs/costs.md'
const PAGE = fileText(COSTS)
const numberOf = (text = ''): number => Number(text.replaceAll(',', ''))
const dollarsOf = (amount: number): string => `$${(amount * FACTS.dollarsPerCredit).toFixed(2)}`
const oneLineOf = (file: string): string => words(fileText(file)).join(' ')

/** `180 credits ($1.80) and 14 runner minutes`: the one form in which pages give a cost. */
const COST = /([\d,]+) credits(?: \((\$[\d.,]+)\))? and ([\d,]+) runner minutes/g

describe('docs/costs.md', () => {
  test('its table follows from the facts', () => {
    const rows = [...PAGE.matchAll(/^\| (.+) \|$/gm)].slice(2).map(([, row = '']) => row.split(' | '))
    const shown = rows.map(([name = '', ...figures]) => {
      const begin = Object.keys(CASES).find((start) => name.startsWith(start)) ?? name
      return [begin, numberOf(figures[0]), figures[1], numberOf(figures[2])]
    })
    const expected = Object.entries(CASES).map(([name, figures]) => {
      return [name, figures.credits, dollarsOf(figures.credits), figures.minutes]
    })
    expect(shown).toEqual(expected)
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
      `${FACTS.pool.toLocaleString('en')} credits a month`,
      `$${FACTS.dollarsPerCredit} each`,
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

test.each(Object.entries(MENTIONS))('%s gives the costs of docs/costs.md', (file, cases) => {
  const shown = [...oneLineOf(file).matchAll(COST)].map(([, c, dollars, m]) => ({
    credits: numberOf(c),
    dollars: dollars ?? dollarsOf(numberOf(c)),
    minutes: numberOf(m),
  }))
  expect(shown).toEqual(
    cases.map((figures) => ({ ...figures, dollars: dollarsOf(figures.credits).replaceAll(',', '') })),
  )
})

test('no page gives a cost in another form, or one that is not listed here', () => {
  const pages = [...filesLike('*.md'), ...filesLike('{docs,collect,insights,visitors,examples}/*.md')]
  expect(oneLineOf('README.md')).toContain(
    `the credits for about ${Math.floor(FACTS.pool / credits.change)} such requests a month`,
  )
  const others = pages
    .filter((file) => file !== COSTS)
    .map((file) => {
      const text = oneLineOf(file)
      const rest = file in MENTIONS ? text.replace(COST, '') : text
      return { file, found: rest.match(/\$\d[\d.,]*|[\d,]+ (?:of Mintlify's )?credits/g) ?? [] }
    })
  expect(others.filter(({ found }) => found.length > 0)).toEqual([])
})
