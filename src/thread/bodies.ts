import type { Ending } from '../core/ending.ts'
import { code, duration, fence } from '../core/text.ts'
import { link, type Setting, tell, to } from './words.ts'

/** The usage, as the answer to `/docs help`. */
export function usage(command: string, permission: string): string {
  return [
    `**ℹ️ How to ask the docs agent**, from a comment that begins with \`${command}\`:`,
    '',
    `- \`${command} explain the new retry option\` starts a job, or continues the one of this thread`,
    `- \`${command} new …\` starts a new job`,
    `- \`${command} status\` asks how the job stands`,
    '',
    permission === 'none'
      ? 'Everyone can ask.'
      : `Whoever asks needs ${permission} permission on this repository.`,
  ].join('\n')
}

/** The answer to `/docs status`. */
export function statusAnswer(
  { job, asker, message }: Pick<Ending, 'job' | 'asker' | 'message'>,
  command: string,
): string {
  if (job === undefined) {
    const said = message === '' ? 'No job is known in this thread' : 'The job of this thread no longer exists'
    return `**ℹ️ ${said}**${to(asker)}.\n\`${command} …\` starts one.`
  }
  const pr = job.prLink === '' ? 'It has no pull request yet.' : `Its pull request is ${link(job.prLink)}.`
  return `**ℹ️ The job ${code(job.id)} is ${code(job.status) || 'in an unknown state'}**${to(asker)}.\n${pr}`
}

/** Why the person was not let in. */
export function refusal({ command, needs, denied }: Setting): string {
  const login = denied?.login ?? ''
  const has = denied?.has ? `you have ${denied.has}` : 'yours could not be read'
  const who = login === '' ? `\`${command}\`` : `@${login}, \`${command}\``
  return `**🔒 ${who} needs ${needs} permission on this repository**; ${has}. A maintainer can run it for you.`
}

/** The status comment while the action is at work. */
export function working(asker: string, runUrl: string, started: string, job: string, prompt: string): string {
  const whose = asker === '' ? 'is working' : `is working** on @${asker}'s request`
  const line = `**⏳ The docs agent ${whose}${asker === '' ? '**' : ''}. [Follow the run](${runUrl}).`
  const small = [job === '' ? '' : `job ${code(job)}`, `started ${started}`].filter(Boolean).join(' · ')
  return `${line}\n\n${foldedPrompt(prompt)}<sub>${small}</sub>`
}

/** The one comment on the agent's own pull request. */
export function pointer(threadName: string, command: string): string {
  return `This pull request answers ${threadName}. To ask for changes, comment \`${command} …\` here.`
}

/** Plain words read better without the frame of code. */
const word = (text: string): string => (/^[\w-]{0,40}(\.\d[\w-]{0,20})*$/.test(text) ? text : code(text))

/** The result comment, without its marker. */
export function resultComment(ending: Ending, setting: Setting, runUrl: string): string {
  const telling = tell(ending, setting)
  const facts = [
    ending.job === undefined ? '' : `job ${code(ending.job.id)}`,
    word(ending.job?.model ?? ''),
    duration(ending.durationMs),
    `[run](${runUrl})`,
  ]
  // The result shows what people asked for; a dry run, what would have been sent.
  const shown = ending.reason === 'dry-run' ? ending.prompt : ending.instruction
  const head = `**${telling.sign} ${telling.said}**${telling.rest}.`
  return `${head}\n${telling.next}\n\n${foldedPrompt(shown)}<sub>${facts.filter(Boolean).join(' · ')}</sub>`
}

const PROMPT_OPEN = '<details><summary>Prompt</summary>\n\n'
const PROMPT_CLOSE = '\n\n</details>\n\n'
/** GitHub takes 65,536 characters; the rest is room for the words, a link of any length and the marker. */
const MAX_PROMPT = 55_000
/** The fence around the prompt is longer than any run of back-ticks in it, so that is bounded, too. */
const LONG_RUN = /`{50,}/g

export function foldedPrompt(prompt: string): string {
  if (prompt === '') return ''
  const plain = prompt.replace(LONG_RUN, '`'.repeat(50))
  const shown = plain.length > MAX_PROMPT ? `${plain.slice(0, MAX_PROMPT).toWellFormed()}\n[cut]` : plain
  return `${PROMPT_OPEN}${fence(shown)}${PROMPT_CLOSE}`
}

/** The prompt that a comment of ours folds, so that a later report of the same job can show it again. */
export function promptOf(body: string): string {
  const start = body.indexOf(PROMPT_OPEN)
  const end = body.lastIndexOf(PROMPT_CLOSE)
  if (start < 0 || end < start) return ''
  const [, text] =
    /^(`{3,})text\n([\s\S]*)\n\1$/.exec(body.slice(start + PROMPT_OPEN.length, end))?.slice(1) ?? []
  return text ?? ''
}
