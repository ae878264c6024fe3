import fc from 'fast-check'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { expect, test } from 'vitest'
import { parseCommand } from '../../src/event/command.ts'
import { runs } from '../helpers/property.ts'

/** Words of a stranger hold EVIL, the person's OWN. */
const evil = fc.constantFrom(
  'EVIL',
  '/docs EVIL',
  'EVIL **now**',
  '- EVIL',
  '-- EVIL',
  '``` EVIL',
  'EVIL:',
  '',
)
const own = fc.constantFrom(
  'OWN',
  'OWN: x',
  '- OWN',
  '1. OWN',
  'OWN, wrote',
  'see OWN@example.com',
  'OWN 10:02',
)

const lines = (one: fc.Arbitrary<string>, mark = ''): fc.Arbitrary<string> =>
  fc.array(one, { minLength: 1, maxLength: 4 }).map((all) => all.map((line) => mark + line).join('\n'))

const quoted = fc.constantFrom('> ', '>', ' > ', '> > ').chain((mark) => lines(evil, mark))
const ownBlock = fc.oneof(
  lines(own),
  fc
    .constantFrom('```', '~~~')
    .map((fence) => `${fence}\n> OWN\n-- \nOn 1.1.2026 10:02, OWN@x.y wrote:\n${fence}`),
)

const NAME = 'EVIL mallory ***@***.***>'
const mail = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        ...[
          `On Tue, Nov 24, 2026 at 10:02 ${NAME} wrote:`,
          `Am Di., 24. Nov. 2026 um 10:02 Uhr schrieb ${NAME}:`,
        ],
        ...[
          `Le mar. 24 nov. 2026 à 10:02, ${NAME} a écrit :`,
          `El mar, 24 nov 2026 a las 10:02, ${NAME} escribió:`,
        ],
        ...[`Em ter., 24 de nov. de 2026 às 10:02, ${NAME} escreveu:`, `2026年11月24日(火) 10:02 ${NAME}:`],
        `On Tue, Nov 24, 2026 at 10:02 EVIL mallory <\n***@***.***> wrote:`,
      ),
      quoted,
      fc.oneof(fc.constant(''), lines(evil)),
    )
    .map(([line, quotation, wrapped]) => `${line}\n\n${quotation}\n${wrapped}`),
  fc
    .tuple(
      fc.constantFrom(
        `From: ${NAME}\nSent: Tuesday\nTo: octo/app\nSubject: Re: EVIL`,
        `Von: ${NAME}\nGesendet: Dienstag\nAn: octo/app\nBetreff: Re: EVIL`,
        `De : ${NAME}\nEnvoyé : mardi\nÀ : octo/app\nObjet : Re: EVIL`,
        `差出人: ${NAME}\n送信日時: 2026年\n宛先: octo/app\n件名: EVIL`,
        '-----Original Message-----',
      ),
      lines(evil),
    )
    .map(([block, text]) => `________________________________\n${block}\n\n${text}`),
)

const signature = fc.constantFrom(
  '-- \nAlice',
  '--\nAlice',
  'Sent from my iPhone',
  'Von meinem iPhone gesendet',
  '—\nAlice',
)

/** At most this much of a mail client and of Markdown around the words. */
const around = (words: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .record({
      before: fc.option(quoted),
      words,
      after: fc.option(quoted),
      signature: fc.option(signature),
      mail: fc.option(mail),
      joint: fc.constantFrom('\n\n', '\n\n\n', '\n \n'),
      end: fc.constantFrom('\n', '\r\n'),
    })
    .map(({ end, joint, ...parts }) =>
      [parts.before, parts.words, parts.after, parts.signature, parts.mail]
        .filter((part) => part !== null)
        .join(joint)
        .replaceAll('\n', end),
    )

const word = fc
  .constantFrom('/docs', '/DOCS', '／Docs')
  .chain((text) => fc.constantFrom(text, `\n${text}`, ` ${text}`, `\u00a0${text}`, `<!-- x -->\n${text}`))

const requests = fc
  .tuple(word, lines(own), fc.array(fc.tuple(quoted, ownBlock), { maxLength: 3 }))
  .map(([command, first, more]) => [`${command} explain ${first}`, ...more.flat()].join('\n\n'))

test.each(['email', 'unknown'] as const)(
  '4.2 %s: what a stranger wrote never is in the request, and what the person wrote is there or below it',
  (via) => {
    fc.assert(
      fc.property(around(requests), (body) => {
        const command = parseCommand(body, '/docs', { via })
        if (command?.kind !== 'prompt') throw new Error(`no request: ${JSON.stringify(command)}`)
        expect(command.prompt).not.toContain('EVIL')
        const count = (text: string) => text.split('OWN').length
        expect(count(command.prompt) + count(command.below ?? '') - 1).toBe(count(body))
        expect(command.omissions.length > 0).toBe(command.below !== undefined)
      }),
      runs(2000),
    )
  },
)

/** Lines that begin, end and hide code in Markdown; a stranger's stand behind `>`. */
const markdownLines = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        '> EVIL',
        ' > EVIL',
        '> - EVIL',
        '>EVIL\n> ```',
        '   > EVIL',
        '      > EVIL',
      ),
    },
    {
      weight: 6,
      arbitrary: fc
        .tuple(
          fc.constantFrom(
            '',
            '',
            ' ',
            '  ',
            '   ',
            '    ',
            '\t',
            '- ',
            '-   ',
            '1. ',
            '2. ',
            '- - ',
            '-      ',
          ),
          fc.constantFrom('```', '```', '````', '~~~', '~~~ a', '``` a', '```a`b', '`` `'),
        )
        .map((parts) => parts.join('')),
    },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        ...['OWN', '- OWN', '  OWN', '    OWN', '# OWN', '1. OWN', '| OWN |\n| - |', 'OWN\n---'],
        ...['<!--', '-->', '<pre>', '</pre>', '<details>', '- <div>', '<b>OWN</b>', '[^1]: OWN', '`OWN'],
      ),
    },
    { weight: 4, arbitrary: fc.constant('') },
  ),
  { minLength: 3, maxLength: 14 },
)

/** Whether the page shows a word of a stranger in a quotation: nothing else that is written behind `>` is somebody's words. */
function quotedOnPage(markdown: string): boolean {
  const isQuoted = (node: Node, inQuote: boolean): boolean =>
    (inQuote && (node.value ?? '').includes('EVIL')) ||
    (node.children ?? []).some((child) => isQuoted(child, inQuote || node.type === 'blockquote'))
  return isQuoted(PARSER.parse(markdown), false)
}
interface Node {
  readonly type: string
  readonly value?: string
  readonly children?: readonly Node[]
}
const PARSER = unified().use(remarkParse).use(remarkGfm)

test('4.2 what the page shows as a quotation is in the fence, whatever fences and lists stand around it', () => {
  let quoted = 0
  fc.assert(
    fc.property(markdownLines, (lines) => {
      // Each quotation in turn: the others may stand in code.
      for (const [at, line] of lines.entries()) {
        if (!line.includes('EVIL')) continue
        const one = lines.map((other, index) => (index === at ? other : other.replaceAll('EVIL', 'else')))
        const body = `/docs fix\n\n${one.join('\n')}`
        if (!quotedOnPage(body)) continue
        quoted++
        const command = parseCommand(body, '/docs')
        expect(JSON.stringify({ ...command, quotations: [] })).not.toContain('EVIL')
        expect(command?.quotations.join()).toContain('EVIL')
      }
    }),
    runs(5000),
  )
  expect(quoted).toBeGreaterThan(500)
})

/** What may follow `help`, `status` and `skip`, and asks the agent nothing. */
const free = fc
  .tuple(
    word,
    fc.constantFrom(' ', '  ', '\t', '\n', ': ', ', ', '、', '：'),
    fc.constantFrom('help', 'status', 'skip', 'Help', 'STATUS', 'Skip'),
    fc.constantFrom(
      '',
      '.',
      '!',
      '?',
      '?!',
      '…',
      '。',
      '！',
      '؟',
      ' 🙏',
      ' :)',
      ', please',
      '. Thanks',
      ' — thanks',
      ': x',
      '、x',
    ),
    fc.constantFrom('', '\n\nThanks,\nAlice', '\n\nBest regards'),
  )
  .map((parts) => parts.join(''))

/** Bare words, which nothing else may follow. */
const bare = fc
  .tuple(
    word,
    fc.constantFrom(' ', '\n', ': ', ' please ', ' new '),
    fc.constantFrom(
      'retry',
      'Again',
      'rerun',
      're-run',
      'redo',
      'try again',
      'cancel',
      'STOP',
      'abort',
      '-h',
      '--version',
    ),
    fc.constantFrom('', '.', '!', '?', ' 🙏', ' please', ', thanks', ' — thanks, @bob', ' now pls'),
    fc.constantFrom('', '\n\nThanks,\nAlice', '\n\nBest regards'),
  )
  .map((parts) => parts.join(''))

test('3.2 no form of a bare word asks the agent anything', () => {
  fc.assert(
    fc.property(bare, (body) => {
      expect(parseCommand(body, '/docs')?.kind).toMatch(/^(again|cancel|help)$/)
    }),
    runs(1000),
  )
})

test('3.2 no form of `help`, `status` or `skip` asks the agent anything', () => {
  fc.assert(
    fc.property(around(free), (body) => {
      const command = parseCommand(body, '/docs', { via: 'email' })
      expect(command?.kind).toMatch(/^(help|status|skip|skip-or-request)$/)
      expect(JSON.stringify({ ...command, quotations: [], below: '', omissions: [] })).not.toContain('EVIL')
    }),
    runs(2000),
  )
})
