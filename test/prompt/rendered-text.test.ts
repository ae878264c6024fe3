import { describe, expect, test } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import type { Fault } from '../../emulator/faults.ts'
import { renderedBody, renderedMarkdown } from '../../src/prompt/rendered.ts'
import { failureWarnings } from '../../src/words/side-tasks.ts'
import { githubOf } from '../helpers/emulated-github.ts'

const emulator = createEmulator()
const github = await githubOf(emulator)
const ALWAYS = Number.POSITIVE_INFINITY

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['refuses', { kind: 'status', status: 403 }],
  ['cannot be reached', { kind: 'refuse' }],
  ['sends something else', { kind: 'wrongType', body: '{"body":"raw text"}' }],
]

function depsOf() {
  const warned: string[] = []
  const warnings = failureWarnings(
    { warning: (line) => void warned.push(line), debug: () => {} },
    { owner: 'octo', repo: 'app' },
  )
  return { github, warnings, warned }
}

describe('4.2 a body is what its readers see, or a note', () => {
  const bodyOf = async (then: string, now = then) => {
    const { number } = emulator.github.addIssue({ body: now })
    return await renderedBody(depsOf(), { kind: 'issue', number }, then)
  }

  test('other line ends are no edit', async () => {
    expect(await bodyOf('one\r\n\r\ntwo', 'one\n\ntwo')).toEqual({
      text: 'one\n\ntwo',
      note: '',
      pictures: 0,
    })
  })

  test('a text that was edited since is left out', async () => {
    const { text, note } = await bodyOf('then', 'now')
    expect(text).toBe('')
    expect(note).toMatch(/edited.*left out\.$/)
  })

  const THEN = 'Adds **retries**.\n\n- twice\n- with <!-- EVIL --> pauses'
  const SEEN = { text: 'Adds retries.\n\n- twice\n- with pauses', note: '', pictures: 0 }

  test.each([
    ['below', `${THEN}\n\n## Summary by a bot\n\nIt adds BOT.`],
    ['right below', `${THEN}\nBOT`],
    ['below, in a comment', `${THEN}\n\n<!-- BOT starts -->\nBOT`],
    ['above', `> [!NOTE]\n> BOT\n\n${THEN}`],
    ['above and below, with other line ends', `BOT\r\n\r\n${THEN.replaceAll('\n', '\r\n')}  \r\n\r\nBOT`],
  ])('of a text to which somebody wrote %s, it is the event’s', async (_, now) => {
    expect(await bodyOf(THEN, now)).toEqual(SEEN)
  })

  test.each([
    ['a word is gone', `${THEN.replace('twice', 'once')}\n\nBOT`],
    ['a line is gone', `${THEN.replace('\n- twice', '')}\n\nBOT`],
    ['a line goes on', `${THEN}, or not`],
    ['it is in a comment', `<!--\n${THEN.replace(' <!-- EVIL -->', '')}\n-->\n\nBOT`],
    ['it is struck out', `<del>\n\n${THEN}\n\n</del>\n\nBOT`],
    ['it is quoted code', `\`\`\`\n${THEN}\n\`\`\`\nBOT`],
    ['it is a quotation', `${THEN.replace(/^/gm, '> ')}\n\nBOT`],
  ])('a text in which somebody took something back is left out: %s', async (_, now) => {
    const then = now.startsWith('<!--') ? THEN.replace(' <!-- EVIL -->', '') : THEN
    const { text, note } = await bodyOf(then, now)
    expect(text).toBe('')
    expect(note).toMatch(/edited.*left out\.$/)
  })

  test.each(FAULTS)('where the event’s text is not rendered, it is left out: GitHub %s', async (_, fault) => {
    const rule = emulator.faults.add({ match: { path: /^\/markdown$/ }, times: ALWAYS, fault })
    const read = await bodyOf(THEN, `${THEN}\n\nBOT`)
    rule.remove()
    expect(read).toEqual({ text: '', pictures: 0, note: 'Its words could not be read, and are left out.' })
  })

  test.each(FAULTS)(
    'a text that GitHub does not give is left out, never taken raw: it %s',
    async (_, fault) => {
      const { number } = emulator.github.addIssue({ body: 'raw text' })
      const rule = emulator.faults.add({ match: { host: 'github' }, times: ALWAYS, fault })
      const { text, note } = await renderedBody(depsOf(), { kind: 'issue', number }, 'raw text')
      rule.remove()
      expect(text).toBe('')
      expect(note).toMatch(/left out\.$/)
    },
  )
})

describe('4.2 what a comment quotes, or a check says, is what its readers see, or a note', () => {
  const HIDDEN = '> Seen. <!-- EVIL -->'

  test('what is hidden in it goes', async () => {
    expect(await renderedMarkdown(depsOf(), HIDDEN)).toEqual({ text: '> Seen.', note: '', pictures: 0 })
  })

  test.each(FAULTS)(
    'where GitHub does not show it, it is left out, never taken raw: it %s',
    async (_, fault) => {
      const rule = emulator.faults.add({ match: { host: 'github' }, times: ALWAYS, fault })
      const text = await renderedMarkdown(depsOf(), HIDDEN)
      rule.remove()
      expect(text).toEqual({ text: '', pictures: 0, note: 'Its words could not be read, and are left out.' })
    },
  )
})
