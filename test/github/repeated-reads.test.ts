import { expect, test } from 'vitest'
import type { GitHub } from '../../src/github/github.ts'
import { type Call, pageOf, type Reply, scripted } from './helpers.ts'

const DOCS = { owner: 'octo', repo: 'docs' }
const PULL = { ...DOCS, number: 77 }
const SHA = 'a'.repeat(40)

/** A GitHub that tells an ETag with each answer, and answers 304 to whoever knows it; `change` changes everything. */
async function tagging(reply: (call: Call) => Reply) {
  let version = 1
  const answers: string[] = []
  const github = await scripted((call) => {
    const { json = {}, headers, status = 200, ...more } = reply(call)
    const etag = `W/"${version}:${call.path}"`
    const isKnown = status === 200 && call.headers.get('if-none-match') === etag
    answers.push(isKnown ? '304' : String(status))
    if (isKnown) return { ...more, status: 304, headers: { etag } }
    return { ...more, status, json, headers: { ...headers, ...(status === 200 && { etag }) } }
  })
  const change = () => {
    version++
  }
  return { ...github, answers, change }
}

test.each<[string, unknown, (github: GitHub) => Promise<unknown>]>([
  ['a pull request', { number: 77, title: 'Docs' }, (github) => github.pullRequest(PULL)],
  ['check runs', { check_runs: [{ id: 1, name: 'links' }] }, (github) => github.checkRuns(DOCS, SHA)],
  ['check suites', { check_suites: [{ id: 1 }] }, (github) => github.checkSuites(DOCS, SHA)],
  [
    'statuses',
    { statuses: [{ context: 'site', state: 'pending' }] },
    (github) => github.commitStatuses(DOCS, SHA),
  ],
])('4.12 what did not change of %s counts against no limit', async (_, json, read) => {
  const { github, answers, change } = await tagging(() => ({ json }))
  const first = await read(github)
  expect(await read(github)).toEqual(first)
  change()
  expect(await read(github)).toEqual(first)
  expect(await read(github)).toEqual(first)
  expect(answers).toEqual(['200', '304', '200', '304'])
})

test('4.12 each page is asked for by its own address, and what changed is new', async () => {
  let conclusion = 'failure'
  const { github, answers, change } = await tagging((call) => {
    const { entries, headers } = pageOf(call, 150, (id) => ({ id, conclusion }))
    return { json: { total_count: 150, check_runs: entries }, headers }
  })
  expect(await github.checkRuns(DOCS, SHA)).toHaveLength(150)
  const again = await github.checkRuns(DOCS, SHA)
  expect(again.map(({ id }) => id)).toEqual(Array.from({ length: 150 }, (_, at) => at + 1))
  conclusion = 'success'
  change()
  const changed = await github.checkRuns(DOCS, SHA)
  expect(changed.every((run) => run.conclusion === 'success')).toBe(true)
  expect(answers).toEqual(['200', '200', '304', '304', '200', '200'])
})

test('4.12 other reads are made as a whole', async () => {
  const { github, answers } = await tagging(() => ({ json: [] }))
  await github.listComments(12)
  await github.listComments(12)
  expect(answers).toEqual(['200', '200'])
})

test.each([
  ['is cut', '{"check_runs":[{"id":1,"na'],
  ['is empty', ''],
  ['is a page', '<html>Unicorn!</html>'],
  ['is a text', '"ok"'],
])('4.12 an answer that %s is not remembered by its ETag', async (_, text) => {
  let isBroken = true
  const { github } = await tagging(() => {
    const reply = isBroken ? { text } : { json: { check_runs: [{ id: 1, name: 'links' }] } }
    isBroken = false
    return reply
  })
  expect(await github.checkRuns(DOCS, SHA)).toMatchObject([{ name: 'links' }])
})
