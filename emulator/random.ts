/** Repeatable randomness: the same seed and labels give the same values, in any order of calls. */

/** FNV-1a with a final mix: 32 well-spread bits of a label. */
export function hash(...labels: readonly (string | number)[]): number {
  let h = 0x811c9dc5
  for (const char of labels.join('\u0000')) {
    h = Math.imul(h ^ (char.codePointAt(0) ?? 0), 0x01000193)
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** In [0, 1). */
export const unit = (...labels: readonly (string | number)[]): number => hash(...labels) / 0x1_0000_0000

export function pick<T>(from: readonly [T, ...T[]], ...labels: readonly (string | number)[]): T {
  return from[hash(...labels) % from.length] ?? from[0]
}

/** `digits` hexadecimal digits. */
export function hex(digits: number, ...labels: readonly (string | number)[]): string {
  let out = ''
  for (let part = 0; out.length < digits; part += 1) {
    out += hash(...labels, part)
      .toString(16)
      .padStart(8, '0')
  }
  return out.slice(0, digits)
}
