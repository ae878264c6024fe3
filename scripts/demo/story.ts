import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Emulator } from '../../emulator/emulator.ts'
import type { Comment, Commit, Issue } from '../../emulator/github/model.ts'
import type { NewPullRequest, NewPush } from '../../emulator/github/new.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { type ActionRun, type RunResult, runAction } from '../../emulator/runner.ts'
import { emulateInProcess } from '../../test/helpers/step-in-process.ts'
import { ACTIONS, access, comment } from './actions.ts'
import { heading, logLines, sayComment } from './screen.ts'

/** What people did, and the event that GitHub sends for it. */
interface Deed {
  /** A sentence that begins with who did it. */
  readonly title: string
  readonly event: ActionRun['event']
  /** The thread in which the page shows the run. */
  readonly thread: number
}

/** What a run is to do, and how it must end. */
export interface Asked {
  readonly action?: keyof typeof ACTIONS
  /** Beside those that every action needs. */
  readonly inputs?: Readonly<Record<string, string>>
  /** Outputs. */
  readonly expected: Readonly<Record<string, string>>
}

/** A line that a thread shows between comments, as GitHub has one for a label, a push or a merge. */
export interface Line {
  readonly thread: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly text: string
  readonly commit?: Commit
}

export interface Run extends Deed, Pick<RunResult, 'summary' | 'log' | 'outputs'> {
  readonly id: number
  readonly attempt: number
  readonly action: keyof typeof ACTIONS
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly endedAt: number
}

/** A run did not end as it must. */
export class Unexpected extends Error {}

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** A Monday, the same each time, so that pictures stay the same. */
const START = Date.UTC(2026, 9, 12, 6, 17)

/** The agent's pull requests are in the repository of the workflow, unless a story says otherwise. */
const OPTIONS: EmulatorOptions = {
  docsRepository: 'octo/app',
  permissions: { statuses: 'write', actions: 'read' },
}

/** What plays in one emulated GitHub, on a clock on which an hour takes no time. */
export class Story {
  readonly title: string
  readonly about: string
  readonly emulator: Emulator
  readonly lines: Line[] = []
  readonly runs: Run[] = []
  /** The action's comments as they stood after the runs that wrote them: later ones edit or delete some. */
  readonly said: Comment[] = []
  readonly workspace = mkdtempSync(join(tmpdir(), 'docs-agent-demo-'))
  readonly #launch: ActionRun['launch']

  constructor({ title, about, options }: Omit<Plot, 'tell'>) {
    const { emulator, launch, setWallClock } = emulateInProcess({ ...OPTIONS, ...options })
    setWallClock(START - emulator.settings.now())
    this.title = title
    this.about = about
    this.emulator = emulator
    this.#launch = launch
    for (const login of ['alice', 'bob']) emulator.github.setPermission(login, 'write')
  }

  later(ms: number): Promise<void> {
    return this.emulator.settings.sleep(ms)
  }

  says(login: string, thread: number, body: string): Deed {
    const event = comment(this.emulator, { issue: thread, login, body })
    return { title: `${login} comments: ${body}`, event, thread }
  }

  opens(login: string, pull: NewPullRequest & { readonly number: number }): Deed {
    const [commit] = this.emulator.github.addPullRequest({ ...pull, user: login }).commits
    this.tells(pull.number, `${login} pushed`, commit)
    return this.#deed(login, pull.number, 'opened', `opened #${pull.number}: ${pull.title}`)
  }

  pushes(login: string, thread: number, push: NewPush): Deed {
    this.emulator.github.push(thread, { by: login, ...push })
    const what = push.isForced
      ? 'rebased, and force-pushed'
      : `pushed ${push.commit?.map(({ filename }) => filename)}`
    this.tells(thread, `${login} ${what}`, this.emulator.github.pull(thread).commits.at(-1))
    return this.#deed(login, thread, 'synchronize', what)
  }

  merges(login: string, thread: number): Deed {
    const what = 'merged the pull request'
    this.emulator.github.closePullRequest(thread, { merged: true })
    this.tells(thread, `${login} ${what}`)
    return this.#deed(login, thread, 'closed', what)
  }

  /** The docs' pull request, wherever it is. */
  mergesDocs(login: string): void {
    const repo = this.emulator.settings.docsRepository
    this.emulator.github.closePullRequest(this.docs, { merged: true, repo })
    this.tells(this.docs, `${login} merged the pull request`)
  }

  /** The number of the agent's newest pull request. */
  get docs(): number {
    const { github, settings } = this.emulator
    return [...github.repo(settings.docsRepository).pulls.keys()].at(-1) ?? 0
  }

  /** A line that starts no run. */
  tells(thread: number, text: string, commit?: Commit): void {
    this.lines.push({ thread, at: this.emulator.settings.now(), text, ...(commit && { commit }) })
  }

  /** @param thread 0 where there is none */
  schedule(title: string, thread = 0): Deed {
    this.tells(thread, title)
    return { title, thread, event: { name: 'schedule', payload: {} } }
  }

  /** Runs the action for a deed; once more for the same one, it is a re-run. @throws {Unexpected} */
  async run(deed: Deed, { action = 'root', inputs = {}, expected }: Asked): Promise<RunResult> {
    const { emulator, runs, workspace } = this
    const { now } = emulator.settings
    heading(`${clockTime(now())}  ${deed.title}${action === 'root' ? '' : `: its step ${action}`}`)
    const at = now()
    const earlier = runs.filter((run) => run.event === deed.event && run.action === action)
    const id = earlier[0]?.id ?? 9_000_001 + runs.length
    const attempt = earlier.length + 1
    const result = await runAction({
      action: ACTIONS[action],
      emulator,
      event: deed.event,
      inputs: { ...access(emulator), ...inputs },
      runId: id,
      attempt,
      workspace,
      onLog: logLines(),
      ...(this.#launch && { launch: this.#launch }),
    })
    const { summary, log, outputs } = result
    runs.push({ ...deed, id, attempt, action, at, endedAt: now(), summary, log, outputs })
    checkEnd(result, expected)
    const said = deed.thread === 0 ? [] : emulator.github.comments(deed.thread)
    const written = said.filter(
      ({ user, updatedAt }) =>
        user.login === emulator.settings.tokenLogin && Date.parse(updatedAt) + 1000 > at,
    )
    this.said.push(...written.map((one) => ({ ...one })))
    const last = written.at(-1)
    if (last !== undefined) sayComment(last)
    return result
  }

  #deed(login: string, thread: number, action: string, what: string): Deed {
    const { shown } = this.emulator
    const pull = { action, number: thread, pull_request: shown.pull(thread) }
    const payload = { ...pull, repository: shown.repository(), sender: shown.user(login) }
    return { title: `${login} ${what}`, thread, event: { name: 'pull_request', payload } }
  }
}

function checkEnd({ outputs, exitCode, post }: RunResult, expected: Asked['expected']): void {
  const wrong = Object.entries(expected)
    .filter(([output, value]) => outputs[output] !== value)
    .map(([output, value]) => `${output} is "${outputs[output] ?? ''}", not "${value}"`)
  const codes = [exitCode, post?.exitCode ?? 0].join(' and ')
  if (codes !== (expected.outcome === 'error' ? '1 and 0' : '0 and 0'))
    wrong.push(`the steps ended with ${codes}`)
  if (wrong.length > 0) throw new Unexpected(wrong.join('; '))
}

/** Of threads: those that a run reported to, or that the agent opened. */
export const isShown = ({ emulator, runs }: Story, { number, user }: Issue): boolean =>
  user.login === emulator.settings.prAuthor || runs.some(({ thread }) => thread === number)

/** `12 Oct, 06:17` */
export const clockTime = (at: number): string =>
  new Date(at).toLocaleString('en-GB', {
    ...{ timeZone: 'UTC', day: 'numeric', month: 'short' },
    ...{ hour: '2-digit', minute: '2-digit' },
  })

export interface Plot {
  readonly title: string
  /** What the page says above it. */
  readonly about: string
  readonly options?: EmulatorOptions
  readonly tell: (story: Story) => Promise<void>
}

/** Tells a story to its end: what its emulator remembers can still be read. @throws {Unexpected} */
export async function told(plot: Plot): Promise<Story> {
  const story = new Story(plot)
  try {
    await plot.tell(story)
  } finally {
    rmSync(story.workspace, { recursive: true, force: true })
  }
  return story
}
