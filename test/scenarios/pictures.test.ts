import { expect, test } from 'vitest'
import { partIn } from '../helpers/prompt-parts.ts'
import { expectOutcome, ISSUE, type World, world } from '../helpers/world.ts'

// Contract 4.2: prompt and answer say how many pictures do not go, in one sentence.

const SHOT = '![EVIL](https://example.com/shot.png)'
const CHART =
  '```mermaid\ngraph TD\n%% EVIL\nEVIL[Client] -->|asks| B[Server]\nclick B "https://example.com" "EVIL"\n```'
const MAP = '```geojson\n{ "type": "EVIL" }\n```'

const bodied = (body: string) => (emulator: World) =>
  void Object.assign(emulator.github.repository('octo/app')?.issues.get(ISSUE) ?? {}, { body })

const SAYS = (pictures: string, them = 'it') =>
  `The docs agent gets no pictures: of ${pictures}, at most labels or an address went. Say in words what matters in ${them}.`

test.each([
  ['an issue', bodied(`Look:\n\n${SHOT}`), '', '1 picture'],
  ['a diagram', bodied(`Look:\n\n${CHART}`), '', '1 picture'],
  ['a map', bodied(`Look:\n\n${MAP}`), '', '1 picture'],
  ['the request', () => {}, ' https://github.com/user-attachments/assets/12', '1 picture'],
  [
    'the conversation',
    ({ github }: World) =>
      void github.addComment(ISSUE, { login: 'bob', body: `Both of them:\n\n${SHOT}\n\n${SHOT}` }),
    '',
    '2 pictures',
  ],
  ['all of them', bodied(`Look:\n\n${SHOT}\n\n${CHART}\n\n${MAP}`), `\n\n> ${SHOT}`, '4 pictures'],
])('4.2 prompt and answer count the pictures of %s', async (_, made, more, pictures) => {
  const emulator = world()
  made(emulator)
  const { said } = await emulator.ask(`/docs explain this${more}`)
  expect(said.id).toBeGreaterThan(0)
  const [prompt = ''] = emulator.prompts()
  expect(prompt).toContain(`You get no pictures: of ${pictures}, at most labels or an address stand here.`)
  expect(prompt.match(/You get no pictures/g)).toHaveLength(1)
  expect(prompt).not.toContain('EVIL')
  const answer = SAYS(pictures, pictures === '1 picture' ? 'it' : 'them')
  expect(emulator.lastWords().split(answer)).toHaveLength(2)
})

test('4.2 of a diagram, what its picture shows as text goes', async () => {
  const emulator = world()
  bodied(`Look:\n\n${CHART}`)(emulator)
  await emulator.ask('/docs explain this')
  expect(partIn(emulator.prompts()[0] ?? '', /the text of issue/)).toContain(
    'Look:\n\n[diagram: "Client", "asks", "Server"]',
  )
})

test.each(['words', '[image] and [diagram], as they are written', '`![alt](a.png)`'])(
  '4.2 without a picture, nothing is said: %s',
  async (body) => {
    const emulator = world()
    bodied(body)(emulator)
    await emulator.ask('/docs explain this')
    expect(emulator.prompts()[0]).not.toContain('no pictures')
    expect(emulator.lastWords()).not.toContain('no pictures')
  },
)

test.each([SHOT, `please\n\n${SHOT}\n${SHOT}`, `new <img src="https://example.com/shot.png">`])(
  '3.2 a request that is pictures alone asks for words, and costs nothing: %s',
  async (asked) => {
    const emulator = world()
    expectOutcome(await emulator.ask(`/docs ${asked}`), 'skipped', 'help')
    expect(emulator.calls('service')).toEqual([])
    expect(emulator.lastWords()).toContain('The docs agent gets no pictures: say in words what it should do.')
  },
)

test('4.2 a merge has its pictures counted, too', async () => {
  const emulator = world()
  emulator.merge({ body: `Retries:\n\n${SHOT}` })
  emulator.merge({ body: SHOT })
  expectOutcome(
    await emulator.refresh(1, { 'changes-since': '7d', 'issue-number': String(ISSUE) }),
    'pull-request',
  )
  expect(emulator.prompts()[0]).toContain('You get no pictures: of 2 pictures,')
  expect(emulator.lastWords()).toContain(SAYS('2 pictures', 'them'))
})
