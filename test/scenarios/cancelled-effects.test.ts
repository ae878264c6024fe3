import { expect, test } from 'vitest'
import type { Fault, FaultMatch } from '../../emulator/faults.ts'
import type { Check } from '../../emulator/github/checks.ts'
import { checkedWorld, FIX } from '../helpers/checked-world.ts'
import { READ } from '../helpers/world.ts'

// Contract 6.1: a cancelled run says what it knows, whatever of GitHub hangs beside its comment.

const BACKLINK: FaultMatch = { host: 'github', method: 'POST', path: /\/issues\/77\/comments$/ }
const SLOW: Check = { name: 'build', takesMs: Infinity }
const STALLS: Fault = { kind: 'stall' }

test.each<[string, FaultMatch, Fault, readonly Check[]]>([
  ['a comment on the pull request of the docs hangs', BACKLINK, STALLS, [SLOW]],
  ['a comment there is not answered', BACKLINK, { kind: 'status', status: 502 }, [SLOW]],
  ['its labels hang', { method: 'POST', path: /\/issues\/77\/labels$/ }, STALLS, [SLOW]],
  ['a review that is asked for hangs', { method: 'POST', path: /\/requested_reviewers$/ }, STALLS, [SLOW]],
])(
  '6.1 cancelled while %s: the thread does not say that the checks are followed',
  async (_, match, fault, checks) => {
    const emulator = checkedWorld([checks])
    emulator.faults.add({ match, times: 40, fault })
    const inputs = { ...FIX, labels: 'docs', reviewers: 'alice' }
    const run = emulator.given(emulator.say('/docs explain'), { inputs, post: false })
    const CHECKS: FaultMatch = { method: 'GET', path: /\/check-runs$/ }
    await emulator.interrupted(run, CHECKS, { signal: 'SIGINT', skip: 1 })
    const [words] = emulator.bodies()
    expect(words).toContain('The docs agent opened')
    expect(words).not.toContain('Its checks are running')
  },
)

const REACT: FaultMatch = { method: 'POST', path: /\/reactions$/ }

test.each<[string, FaultMatch, Fault]>([
  ['its reaction hangs', REACT, STALLS],
  ['its reaction is not answered', REACT, { kind: 'status', status: 502 }],
  ['its reaction comes late', REACT, { kind: 'delay', ms: 9000 }],
  ['the reaction before it stays', { method: 'DELETE', path: /\/reactions\/\d+$/ }, STALLS],
])(
  '6.1 cancelled while the job works, and %s: the thread says in time that the job goes on',
  async (_, match, fault) => {
    const emulator = checkedWorld([])
    emulator.service.everyTurn = { ending: 'active-forever' }
    const run = emulator.given(emulator.say('/docs explain'), { post: false })
    let at = 0
    const call = () => {
      at = emulator.settings.now()
      emulator.faults.add({ match, times: 40, fault })
    }
    emulator.faults.add({ match: READ, fault: { kind: 'call', call } })
    let saidAt = Number.POSITIVE_INFINITY
    const says = () => {
      saidAt = emulator.settings.now()
    }
    emulator.faults.add({
      match: { method: 'POST', path: /\/issues\/12\/comments$/ },
      skip: 1,
      fault: { kind: 'call', when: 'after', call: says },
    })
    await emulator.interrupted(run, READ, { signal: 'SIGINT' })
    expect(emulator.bodies()[0]).toContain('The run was cut short; the job')
    // The runner kills it seven seconds and a half after the signal.
    expect(saidAt - at).toBeLessThan(5000)
  },
)

const LABELS: FaultMatch = { method: 'POST', path: /\/issues\/77\/labels$/ }

test.each<[string, FaultMatch, number]>([
  ['its reaction', REACT, 1],
  ['the end of the reaction before it', { method: 'DELETE', path: /\/reactions\/\d+$/ }, 0],
  ['a review', { method: 'POST', path: /\/requested_reviewers$/ }, 0],
])(
  '6.1 cancelled while its comment waits for %s, which hangs: it says the end in time',
  async (_, match, skip) => {
    const emulator = checkedWorld([])
    const inputs = { labels: 'docs', reviewers: 'alice' }
    const run = emulator.given(emulator.say('/docs explain'), { inputs, post: false })
    const times = { at: 0, saidAt: Number.POSITIVE_INFINITY }
    const note = (name: keyof typeof times) => () => {
      times[name] = emulator.settings.now()
    }
    const SAYS: FaultMatch = { method: 'POST', path: /\/issues\/12\/comments$/ }
    emulator.faults.add({
      match: SAYS,
      skip: 1,
      fault: { kind: 'call', when: 'after', call: note('saidAt') },
    })
    emulator.faults.add({ match: LABELS, fault: { kind: 'call', when: 'after', call: note('at') } })
    emulator.faults.add({ match, skip, times: 40, fault: STALLS })
    await emulator.interrupted(run, LABELS, {
      signal: 'SIGINT',
      when: 'after',
      fault: { kind: 'delay', ms: 3000 },
    })
    expect(emulator.bodies()[0]).toContain('The docs agent opened')
    expect(times.saidAt - times.at).toBeLessThan(4500)
  },
)
