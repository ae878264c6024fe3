import { test } from 'vitest'

type Body<Case extends readonly unknown[]> = (...given: Case) => Promise<void> | void

/**
 * The cases of a matrix, as tests of this name: the usual ones, which are to be one of each kind, run in `npm test`, and
 * the others, which have the tag `matrix`, where everything runs.
 * @param isUsual by the place of the case, from 0
 */
export function testMatrix<Case extends readonly unknown[]>(
  cases: readonly Case[],
  isUsual: (at: number) => boolean,
) {
  return (name: string, body: Body<Case>): void => {
    const run = (given: Case) => body(...given)
    test.for(cases.filter((_, at) => isUsual(at)))(name, run)
    test.for(cases.filter((_, at) => !isUsual(at)))(name, { tags: 'matrix' }, run)
  }
}

/** Of the pairs of two lists, the first one by one: each entry of the second, with those of the first in turn. */
export const inTurn =
  (first: number, second: number) =>
  (at: number): boolean =>
    Math.floor(at / second) === (at % second) % first
