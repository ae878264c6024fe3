export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Goes on from this time, in milliseconds since the epoch. */
  set(time: number): void
  /** The environment of a process that has this clock. */
  environment(): Readonly<Record<string, string>>
}

const PRELOAD = new URL('shift-date.ts', import.meta.url)

/** A clock for stories that take weeks. It goes as fast as the machine's. */
export function settableClock(): Clock {
  let shift = 0
  return {
    now: () => Date.now() + shift,
    set: (time) => {
      shift = time - Date.now()
    },
    environment: () => ({ NODE_OPTIONS: `--import=${PRELOAD.href}`, SHIFT_DATE_MS: String(shift) }),
  }
}
