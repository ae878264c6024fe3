import type { Ending } from '../core/ending.ts'
import { linkName } from '../core/link.ts'
import type { ErrorReason, Outcome, SkipReason } from '../core/outcome.ts'
import { code, duration, plainText } from '../core/text.ts'

/**
 * Every text that people read of a run, written once: comment, summary, annotation and log tell the same outcome in
 * the same words. Inline Markdown; what comes from outside stands in code spans, links or fences.
 */
export interface Telling {
  readonly sign: '✅' | 'ℹ️' | '❌' | '⏳' | '⏹️' | '🔒'
  /** What happened, with the one link that matters: the bold beginning of the comment. */
  readonly said: string
  /** The rest of that sentence, with whom it matters to. */
  readonly rest: string
  /** What people can do now. */
  readonly next: string
}

/** What the words need beyond the ending. */
export interface Setting {
  readonly command: string
  readonly timeoutMs: number
  /** What `min-permission` asks for. */
  readonly needs: string
  /** Who lacks it, and what they have; '' where that is unknown. */
  readonly denied?: { readonly login: string; readonly has: string } | undefined
}

export function tell(ending: Ending, setting: Setting): Telling {
  const telling = TELLINGS[ending.outcome](ending, setting)
  return ending.note === '' ? telling : { ...telling, next: `${telling.next} ${ending.note}`.trim() }
}

const TELLINGS: Readonly<Record<Outcome, (ending: Ending, setting: Setting) => Telling>> = {
  'pull-request': (ending, { command }) => ({
    sign: '✅',
    said: `The docs agent ${ending.followUp ? 'finished its work on' : 'opened'} ${prLink(ending)}`,
    rest: forAsker(ending),
    next: `Review it there. To ask for changes, reply here or there with \`${command} …\`.`,
  }),
  'no-pull-request': (ending, { command }) => ({
    sign: 'ℹ️',
    said: ending.job?.unusableLink
      ? 'The docs agent finished, with a link to its pull request that cannot be used'
      : 'The docs agent finished without opening a pull request',
    rest: toAsker(ending),
    next: ending.job?.unusableLink
      ? 'Open the job in the dashboard to find the pull request.'
      : `It found nothing to change, asked a question that nobody could see, or committed directly. Reply \`${command} …\` to say more, or open the job in the dashboard.`,
  }),
  archived: (ending, { command }) => ({
    sign: 'ℹ️',
    said: `The docs agent’s job was archived${ending.job?.prLink ? `, with ${prLink(ending)}` : ' before it opened a pull request'}`,
    rest: toAsker(ending),
    next: `Someone may have archived it in the dashboard. Reply \`${command} new …\` to start again.`,
  }),
  failed: (ending, { command }) => ({
    sign: '❌',
    said: 'The docs agent failed',
    rest: ` on this request${toAsker(ending)}`,
    next: `The service gives no cause for job ${jobId(ending)}. Look at it in the dashboard, or reply \`${command} new …\` to start again.`,
  }),
  'timed-out': (ending, { command, timeoutMs }) => ({
    sign: '⏳',
    said: ending.job
      ? `Still working after ${duration(timeoutMs)}`
      : `Nothing was sent within ${duration(timeoutMs)}`,
    rest: toAsker(ending),
    next: !ending.job
      ? 'GitHub or the service took too long. A re-run of the workflow starts it.'
      : `${ending.message} The job ${jobId(ending)} goes on; this run stopped waiting. \`${command} status\` asks how it stands; raise \`timeout-minutes\` to wait longer.`.trim(),
  }),
  cancelled: (ending, { command }) =>
    ending.job === undefined
      ? {
          sign: '⏹️',
          said: 'The run was cancelled before it asked the docs agent',
          rest: toAsker(ending),
          next: 'A re-run of the workflow starts it.',
        }
      : {
          sign: '⏹️',
          said: `The run was cancelled; the job ${jobId(ending)} goes on`,
          rest: toAsker(ending),
          next: `\`${command} status\` asks how it stands, a re-run of the workflow picks it up.`,
        },
  started: (ending, { command }) => ({
    sign: '⏳',
    said: `The docs agent is working on job ${jobId(ending)}`,
    rest: forAsker(ending),
    next: `This run does not wait for it. \`${command} status\` asks how it stands.`,
  }),
  skipped: (ending, setting) => skipped(ending, setting),
  error: (ending) => ({
    sign: '❌',
    said: errorHeadline(ending),
    rest: toAsker(ending),
    next: ending.message,
  }),
}

function skipped(ending: Ending, setting: Setting): Telling {
  const reason = ending.reason as SkipReason
  const [sign, said, next] = SKIPPED[reason] ?? ['ℹ️', 'Nothing was asked of the docs agent', '']
  return {
    sign,
    said: filled(said, {
      pr: prLink(ending),
      job: jobId(ending),
      needs: setting.needs,
      denied: setting.denied?.login || 'Whoever set this off',
      has: setting.denied?.has ? `theirs is ${setting.denied.has}` : 'theirs could not be read',
    }),
    rest: toAsker(ending),
    next: `${ending.message} ${filled(next, { command: setting.command })}`.trim(),
  }
}

/** The text with its places filled: by a function, so that nothing in a value is taken for a pattern. */
const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)

/** Sign, what happened, what to do; the message of the ending stands before the latter. */
const SKIPPED: Readonly<Record<SkipReason, readonly [Telling['sign'], string, string]>> = {
  'not-a-command': ['ℹ️', 'The comment is no command', ''],
  'not-a-new-comment': ['ℹ️', 'The event is not a new comment', 'Edited and deleted comments start nothing.'],
  bot: ['ℹ️', 'A bot set this off', 'List its login in `allowed-bots` to let it.'],
  'agent-pull-request': [
    'ℹ️',
    'A bot or the docs agent opened this pull request',
    'List its author in `allowed-bots` to follow it all the same.',
  ],
  'permission-denied': [
    '🔒',
    '{denied} may not ask the docs agent: that needs {needs} permission on this repository ({has})',
    'A maintainer can run it for them.',
  ],
  'missing-secret': [
    'ℹ️',
    'GitHub withholds secrets from this run, so there is no `api-key`',
    'That is so for pull requests from forks and for Dependabot. A maintainer can comment `{command} …` instead.',
  ],
  'pull-request-open': [
    'ℹ️',
    'Nothing new was started: {pr} is still open',
    'Merge or close it, or reply `{command} new …`.',
  ],
  'job-active': [
    'ℹ️',
    'Nothing new was started: the job {job} still works',
    '`{command} status` asks how it stands.',
  ],
  'dry-run': ['ℹ️', 'Dry run: nothing was sent to the docs agent', 'The prompt that would be sent is below.'],
  help: ['ℹ️', 'How to ask the docs agent', ''],
  status: ['ℹ️', 'How the job stands', ''],
}

/** What an error did to the request, so that nobody has to guess it from the cause. */
function errorHeadline({ reason, job }: Ending): string {
  if (reason === 'creation-uncertain') return 'It is not known whether a job was started'
  if (job !== undefined) return `The job ${code(job.id)} can no longer be followed`
  return ERROR_HEADLINES[reason as ErrorReason] ?? 'The docs agent could not be asked'
}

const ERROR_HEADLINES: Readonly<Partial<Record<ErrorReason, string>>> = {
  'bad-input': 'An input of the workflow cannot be used',
  internal: 'The action failed for a reason of its own',
}

/** The sentence for log and annotation: the same words without Markdown. */
export function plain(telling: Telling): string {
  return plainText(`${telling.said}. ${telling.next}`.trim())
}

/** `, @alice`, or nothing. */
export const to = (asker: string): string => (asker === '' ? '' : `, @${asker}`)
const toAsker = ({ asker }: Ending): string => to(asker)
const forAsker = ({ asker }: Ending): string => (asker === '' ? '' : ` for @${asker}`)
const jobId = ({ job }: Ending): string => code(job?.id ?? '')
const prLink = ({ job }: Ending): string => link(job?.prLink ?? '')

/**
 * A link that is checked already (contract 2.2). What Markdown would take for its end is encoded, and so is what would
 * end a character reference: `&lt;` leads to another page than `<`.
 */
export function link(url: string): string {
  if (url === '') return 'its pull request'
  const name = linkName(url).replace(/[\\[\]`*_<>@~|&]/g, '\\$&')
  const target = url
    .replace(/[()<>|\\]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
    .replace(/(&#?\w+);/g, '$1%3b')
  return `[${name}](${target})`
}
