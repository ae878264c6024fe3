import { crypto } from './crypto.ts'
import { id, object, parse, text } from './json.ts'

/**
 * The marker: what a thread remembers, in a hidden comment at the very end of a comment of the action.
 *
 *   <!-- docs-agent:1:PAYLOAD:HMAC -->
 *
 * PAYLOAD is base64url of a JSON object with one-letter keys (see `KEYS`); HMAC is base64url of HMAC-SHA256 over
 * version, payload, repository, thread and project, under a key derived from `api-key`. What holds and what does not:
 *
 * - Whoever has no `api-key` cannot make a marker, nor change a character of one: the HMAC is compared as text, so
 *   that not even the unused bits of base64's last character can vary.
 * - A marker that is copied to another thread, repository or project does not verify there.
 * - Anyone can post a marker of this thread once more. `at`, which is signed, decides which one is the newest, and of
 *   equals the older comment counts, so a copy changes nothing while its original stands. Where somebody deletes the
 *   original, the copy takes its place, and the words above it are those of whoever posted it.
 * - Whoever may delete comments can make the thread forget; that person may also push to the repository.
 * - The payload is readable, not secret. It holds ids, links and logins that the thread shows anyway.
 * - A marker of another version is ignored, so that old and new releases can share a thread.
 */
export interface Marker {
  /** Digest of what was asked (5.2): a re-run of the same event finds its own marker by it. */
  readonly key: string
  readonly state: MarkerState
  /** The job's id, '' while there is none. */
  readonly job: string
  /** The job's status as last read. */
  readonly status: string
  /** The job's pull request, '' while there is none. */
  readonly pr: string
  readonly run: string
  /** Until when (s since the epoch) that run waits for the job; 0 when it no longer does. */
  readonly until: number
  /** When it was written, in ms since the epoch. */
  readonly at: number
  /** When the request came in, in ms since the epoch. */
  readonly from: number
  /** When the job was sent this request as a message, in ms since the epoch; 0 when it is a new job (4.8). */
  readonly messaged: number
  /** Login of the person who asked, '' for nobody. */
  readonly asker: string
  /** The comment that asked, `issue:123` or `review:123`; '' for none. It gets the reaction. */
  readonly comment: string
  /** The id of the `eyes` on it, 0 while there are none. */
  readonly eyes: number
}

/** What each state of a marker means to those who find it. */
interface Meaning {
  /** It belongs to one request, of which one comment is left in the end; the others belong to the thread. */
  readonly ofRequest: boolean
  /** A re-run of the request picks up the job that it names. */
  readonly resumable: boolean
  /** The run that wrote it has said how it ended. */
  readonly told: boolean
}

const STATES = {
  /** The request is about to be sent, or was; only its answer tells. */
  sending: { ofRequest: true, resumable: false, told: false },
  /** It is not known whether the request was processed, and people have been told. */
  uncertain: { ofRequest: true, resumable: false, told: true },
  /** The request surely was not processed. */
  unsent: { ofRequest: true, resumable: false, told: true },
  /** The job is known, and its end has not been reported. */
  open: { ofRequest: true, resumable: true, told: false },
  /** The same, and the run that waited has said that it no longer does. */
  parted: { ofRequest: true, resumable: true, told: true },
  /** The job's end has been reported: nothing is ever written over it. */
  reported: { ofRequest: true, resumable: true, told: true },
  /** An answer to `help`, `status` or a refused start; no job. */
  answer: { ofRequest: true, resumable: false, told: true },
  /** The thread's one comment about a missing permission. */
  refusal: { ofRequest: false, resumable: false, told: true },
  /** On the job's own pull request: the way back to the job. */
  pointer: { ofRequest: false, resumable: false, told: true },
} as const satisfies Record<string, Meaning>

export type MarkerState = keyof typeof STATES

export const meaningOf = (state: MarkerState): Meaning => STATES[state]

/** Whether it names a job that a re-run of the request picks up. */
export const namesJob = ({ state, job }: Pick<Marker, 'state' | 'job'>): boolean =>
  meaningOf(state).resumable && job !== ''

/** What a marker is bound to. */
export interface MarkerScope {
  readonly apiKey: string
  readonly projectId: string
  /** `owner/name`, in any letter case. */
  readonly repository: string
  readonly thread: number
}

const VERSION = '1'
const MARKER = new RegExp(String.raw`<!-- docs-agent:${VERSION}:([\w-]{1,8000}):([\w-]{43}) -->\s*$`)
const ANY_MARKER = /<!-- docs-agent:\d{1,4}:/

/** The names in the payload; one letter each keeps the marker short. */
const KEYS = {
  key: 'k',
  state: 's',
  job: 'j',
  status: 't',
  pr: 'p',
  run: 'r',
  until: 'u',
  at: 'a',
  from: 'f',
  messaged: 'm',
  asker: 'w',
  comment: 'c',
  eyes: 'e',
} as const satisfies Record<keyof Marker, string>

export function writeMarker(marker: Marker, scope: MarkerScope): string {
  const fields = Object.entries(KEYS).map(([name, letter]) => [letter, marker[name as keyof Marker]])
  const payload = Buffer.from(JSON.stringify(Object.fromEntries(fields))).toString('base64url')
  return `<!-- docs-agent:${VERSION}:${payload}:${sign(payload, scope)} -->`
}

/** The marker at the end of a comment's body, if it is ours, whole, and made for this very thread. */
export function readMarker(body: string, scope: MarkerScope): Marker | undefined {
  const [, payload, hmac] = MARKER.exec(body) ?? []
  if (payload === undefined || hmac === undefined || !sameText(hmac, sign(payload, scope))) return undefined
  return narrow(parse(Buffer.from(payload, 'base64url').toString()))
}

/** Whether the text holds anything that looks like a marker, whoever wrote it. */
export const carriesMarker = (body: string): boolean => ANY_MARKER.test(body)

function sign(payload: string, scope: MarkerScope): string {
  const parts = [VERSION, payload, scope.repository.toLowerCase(), String(scope.thread), scope.projectId]
  return crypto().createHmac('sha256', keyOf(scope.apiKey)).update(JSON.stringify(parts)).digest('base64url')
}

const keyOf = (apiKey: string): Buffer =>
  Buffer.from(crypto().hkdfSync('sha256', apiKey, '', 'docs-agent marker', 32))

/** Both are 43 characters of ASCII. */
const sameText = (a: string, b: string): boolean => crypto().timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** The payload is ours once its HMAC holds; it is narrowed all the same, since an older release may have made it. */
function narrow(value: unknown): Marker | undefined {
  const raw = object(value)
  const state = text(raw[KEYS.state])
  if (!isState(state)) return undefined
  return {
    state,
    key: text(raw[KEYS.key]),
    job: text(raw[KEYS.job]),
    status: text(raw[KEYS.status]),
    pr: text(raw[KEYS.pr]),
    run: text(raw[KEYS.run]),
    until: id(raw[KEYS.until]) ?? 0,
    at: id(raw[KEYS.at]) ?? 0,
    from: id(raw[KEYS.from]) ?? 0,
    messaged: id(raw[KEYS.messaged]) ?? 0,
    asker: text(raw[KEYS.asker]),
    comment: text(raw[KEYS.comment]),
    eyes: id(raw[KEYS.eyes]) ?? 0,
  }
}

const isState = (state: string): state is MarkerState => Object.hasOwn(STATES, state)
