import { expect, test } from 'vitest'
import type { Forge } from '../../src/github/forge.ts'
import { beforeAsking, briefly, forContext, whileReporting, whileWaiting } from '../../src/http/failure.ts'
import { thrownBy } from '../helpers/agent.ts'
import { NOW, type Reply, scripted } from './helpers.ts'

const MINUTE = 60_000
const OK: Reply = { json: { id: 1, body: 'x', html_url: 'https://github.com/octo/app/issues/12#c' } }
const AWAY: Reply = { status: 502, json: { message: 'Server Error' } }

/** As many as the pace allows in a minute. */
async function writesAMinute(forge: Forge) {
  for (let written = 0; written < 60; written++) await forge.updateComment(1, 'x')
}

test('5.7 each phase tries for its own time, also beside another one', async () => {
  const { forge, passed } = await scripted(() => AWAY)
  const ended = async (phase: Forge) => {
    await thrownBy(phase.updateComment(1, 'x'))
    return passed()
  }
  const limits = [
    ...[whileReporting(), whileWaiting(10 * MINUTE), whileWaiting(MINUTE)],
    ...[forContext(), briefly(), beforeAsking(3000)],
  ]
  const phases = [...limits.map((each) => forge.during(each)), forge]
  const seconds = (await Promise.all(phases.map(ended))).map((ms) => ms / 1000)
  expect(seconds).toEqual([120, 120, 20, 15, 15, 1, 30])
})

test('5.7 the phases of a run share its pace', async () => {
  const { forge, passed } = await scripted(() => OK)
  await writesAMinute(forge)
  expect(passed()).toBe(0)
  await forge.during(whileReporting()).updateComment(1, 'x')
  expect(passed()).toBe(MINUTE)
})

test('5.7 a request that has waited a minute for its turn is still tried again', async () => {
  const { forge, calls, passed } = await scripted(() => (calls.length === 61 ? AWAY : OK))
  await writesAMinute(forge)
  await forge.updateComment(1, 'x')
  expect(calls.slice(60).map(({ at }) => at)).toEqual([MINUTE, MINUTE + 500])
  expect(passed()).toBe(MINUTE + 500)
})

test('5.7 one whose turn comes after the end of its phase is not sent', async () => {
  const { forge, calls, passed } = await scripted(() => OK)
  await writesAMinute(forge)
  const late = forge.during(whileReporting(MINUTE / 2)).updateComment(1, 'x')
  const detail = 'no time is left within the limits of the forge'
  expect(await thrownBy(late)).toMatchObject({ kind: 'away', httpStatus: 0, detail })
  expect([calls.length, passed()]).toEqual([60, 0])
})

test('8.1 the clock is that of GitHub once it has answered, in all phases of the run', async () => {
  const hourAhead = NOW + 3_600_000
  const headers = { date: new Date(hourAhead).toUTCString() }
  const { forge, calls, passed } = await scripted(() => (calls.length === 1 ? { ...AWAY, headers } : OK))
  expect(forge.clock()).toBe(NOW)
  await forge.updateComment(1, 'x')
  expect(passed()).toBe(500)
  expect([forge.clock(), forge.during(whileReporting()).clock()]).toEqual(Array(2).fill(hourAhead + 500))
})

test('5.1 an account that GitHub did not name once is asked for again', async () => {
  const { forge, calls } = await scripted(() => (calls.length === 1 ? AWAY : { json: { login: 'docs-bot' } }))
  const hasty = forge.during(whileReporting(0))
  expect(await thrownBy(hasty.ownLogin())).toMatchObject({ kind: 'away' })
  expect(await forge.ownLogin()).toBe('docs-bot')
})

test.each([401, 403, 404])('5.1 a token without an account (%i) comments as a bot', async (status) => {
  const { forge, calls } = await scripted(() => ({ status, json: { message: 'No' } }))
  expect([await forge.ownLogin(), await forge.ownLogin()]).toEqual([undefined, undefined])
  expect(calls).toHaveLength(1)
})

test('3.5 a name that GitHub did not tell of once is asked for again, in whatever case, and then known', async () => {
  const { forge, calls } = await scripted(() => (calls.length === 1 ? AWAY : { json: { id: 3 } }))
  const name = { owner: 'octo', repo: 'old-app' }
  expect(await thrownBy(forge.during(whileReporting(0)).hadName(name))).toMatchObject({ kind: 'away' })
  const shouted = { owner: 'Octo', repo: 'Old-App' }
  expect([await forge.hadName(name), await forge.hadName(shouted)]).toEqual([true, true])
  expect(calls).toHaveLength(2)
})

test.each([403, 404])(
  '3.5 a name that GitHub refuses to tell of (%i) is none of the repository',
  async (status) => {
    const { forge, calls } = await scripted(() => ({ status, json: { message: 'No' } }))
    const name = { owner: 'octo', repo: 'old-app' }
    expect([await forge.hadName(name), await forge.hadName(name)]).toEqual([false, false])
    expect(calls).toHaveLength(1)
  },
)

test('5.1 the phases of a run read the name of its account once', async () => {
  const { forge, paths } = await scripted(() => ({ json: { login: 'docs-bot' } }))
  const logins = [await forge.ownLogin(), await forge.during(whileReporting()).ownLogin()]
  expect(logins).toEqual(['docs-bot', 'docs-bot'])
  expect(paths()).toEqual(['GET /user'])
})
