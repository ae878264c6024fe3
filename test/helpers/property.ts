import fc from 'fast-check'

/** `FUZZ_RUNS=10000` tries each property that often. */
const asked = Number(process.env.FUZZ_RUNS ?? 0)
const isFresh = asked > 0 || process.env.CI === 'true'
/**
 * New examples in CI and when they are asked for, and the same ones elsewhere, so that a change fails for what it
 * changed. Drawn once: a retry of the test must not pass by its luck.
 */
const SEED = isFresh ? Math.trunc(Math.random() * 2 ** 31) : 20_260_701

/** How often a property is tried: at least `usual` times, or a fifth with the same examples. A failure prints the seed. */
export const runs = (usual: number): { readonly numRuns: number; readonly seed: number } => ({
  numRuns: isFresh ? Math.max(usual, asked) : Math.ceil(usual / 5),
  seed: SEED,
})

/** Any Unicode, half surrogate pairs too. */
export const anyText = (maxLength = 80): fc.Arbitrary<string> =>
  fc
    .string({ unit: 'binary', maxLength })
    .chain((whole) => fc.constantFrom('', '\ud800', '\udc00').map((half) => whole + half))

/** Text in which these pieces, which mean something where it ends up, stand next to each other. */
export const textOf = (pieces: readonly string[], maxLength = 30): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...pieces) },
        { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }) },
      ),
      { maxLength },
    )
    .map((parts) => parts.join(''))

/** Pieces that may mean something to GitHub's Markdown. */
export const MARKDOWN: readonly string[] = [
  ...['@mallory', '@octo/team', 'octo/app#1', 'https://evil.example', 'www.evil.example', ':tada:', '/docs'],
  ...['[a](https://evil.example)', '![a](https://evil.example/a.png)', '[a]: https://evil.example'],
  ...['<img src=x>', '<a href="https://evil.example">', '<b>', '</details>', '</sub>', '<!--', '-->'],
  ...['`', '``', '```', '````', '~~~', '**', '_', '|', '| a |\n| - |', '# ', '> ', '- ', '[^1]', '[^1]: x'],
  ...['\\', '&lt;', '&#64;mallory', '$x$', 'x', ' ', '\n', '\n\n', '\r', '\r\n', '\u2028'],
]
