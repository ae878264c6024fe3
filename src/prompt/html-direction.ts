import { inItsDirection, TURNED } from '../invisible.ts'
import { attributeOf, type Element } from './html-visibility.ts'

/** Marks around text, of the private use areas: whose elements have `dir`, or are a `bdo`, and where such text ends. */
const MARKS = { ltr: '\ue010', rtl: '\ue011', bdo: '\ue012', end: '\ue013' } as const
const TEXT = /([\ue010-\ue012]+)([^\ue013]*)\ue013/g

/**
 * The marks of the text in an element.
 * @param around those of the text around it @param isBlock its lines are its own
 */
export function directionsIn(element: Element, around: string, isBlock: boolean): string {
  const dir = attributeOf(element, 'dir')?.trim().toLowerCase()
  const isExplicit = dir === 'ltr' || dir === 'rtl'
  const mark = element.tagName === 'bdo' ? MARKS.bdo : isExplicit ? MARKS[dir] : ''
  const outer = isBlock && (isExplicit || dir === 'auto') ? '' : around
  return outer.includes(mark) ? outer : outer + mark
}

/** @param line of text without an end of line */
export const marked = (line: string, directions: string): string =>
  directions === '' || line === '' ? line : directions + line + MARKS.end

/** In place of text whose directions are not looked into. */
export const UNKNOWN = marked('[…]', MARKS.bdo)

/** Letters of the scripts that are written from right to left. */
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Neither the first letter nor most of them go the way of `dir`. A Hebrew line may begin with an English name. */
function isAgainst(dir: 'ltr' | 'rtl', texts: readonly RegExpExecArray[]): boolean {
  const text = texts.map(([, marks = '', words = '']) => (marks.includes(MARKS[dir]) ? words : '')).join('')
  const suits = (text.match(/\p{L}/gu) ?? []).map((letter) => RTL.test(letter) === (dir === 'rtl'))
  return suits[0] === false && suits.filter(Boolean).length < suits.length / 2
}

/** A line without its marks, or a note in its place where readers see its words in another order. */
export function lineInItsDirection(line: string): string {
  const texts = [...line.matchAll(TEXT)]
  const isBdo = texts.some(([, marks = '']) => marks.includes(MARKS.bdo))
  return isBdo || isAgainst('ltr', texts) || isAgainst('rtl', texts)
    ? TURNED
    : inItsDirection(line.replace(/[\ue010-\ue013]/g, ''))
}
