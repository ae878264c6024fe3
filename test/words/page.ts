import type { RunResult } from '../../emulator/runner.ts'
import { VERSION } from '../../src/http/fetch.ts'
import { withoutRecord } from '../../src/record/signed-record.ts'
import { ISSUE, type World, type world } from '../helpers/world.ts'

/** A run, and where its words are read. */
export interface Play {
  readonly world: () => ReturnType<typeof world>
  /** What came before; its words are not shown. */
  readonly before?: (world: World) => Promise<unknown>
  readonly run: (world: World) => Promise<RunResult>
  /** Where comments are read; by default the issue. */
  readonly threads?: readonly number[]
  /** The pull request, or the commit, whose commit status is read. */
  readonly statusOf?: number | string
  /** What else is shown: all that was said, from the first word on, with the folds. */
  readonly isWhole?: boolean
  /** Each text of the comments, not the last ones alone. */
  readonly showsMeanwhile?: boolean
  readonly hasSummary?: boolean
  /** The end of the log alone. */
  readonly isLine?: boolean
}

/** A Monday. */
const START = Date.UTC(2026, 0, 5, 9)

/** A section of the page. */
export async function played(title: string, play: Play) {
  const world = play.world()
  world.setWallClock(START - world.settings.now())
  await play.before?.(world)
  const { threads = [ISSUE], statusOf, isWhole = false } = play
  const known = { texts: textsIn(world, threads), statuses: statusesOf(world, statusOf) }
  world.clearRequests()
  const result = await play.run(world)
  const texts = isWhole || play.showsMeanwhile === true ? written(world) : textsIn(world, threads)
  const said = withoutProgress(result.log)
  const shown = [
    `### ${title}`,
    outputsOf(result),
    ...texts
      .filter((text) => !known.texts.includes(text))
      .map((text) => quoted(isWhole ? text : brief(text))),
    ...statusesOf(world, statusOf).slice(known.statuses.length),
    indented(isWhole ? result.log : said),
    ...(isWhole ? ['Summary:', quoted(result.summary)] : []),
    ...(play.hasSummary === true ? ['Summary:', quoted(brief(result.summary))] : []),
    ...(result.post?.log ? ['The post step:', indented(result.post.log)] : []),
  ]
  const section = play.isLine === true ? `- ${title}: ${said}` : shown.filter(Boolean).join('\n\n')
  return { result, section: steady(section, world) }
}

const textOf = (body: string): string => withoutRecord(body)

const textsIn = ({ bodies }: World, threads: readonly number[]): string[] =>
  threads.flatMap((thread) => bodies(thread)).map(textOf)

/** Each text of a comment, in order. */
const written = ({ requests }: World): string[] => {
  const texts = requests
    .filter(
      ({ method, path }) =>
        /^(POST|PATCH)$/.test(method) && /issues\/(\d+\/comments|comments\/\d+)$/.test(path),
    )
    .map(({ body }) => textOf(String((body as { body?: unknown }).body)))
  return texts.filter((text, at) => text !== texts[at - 1])
}

const statusesOf = ({ github }: World, of: Play['statusOf']): string[] =>
  of === undefined
    ? []
    : github
        .statuses(typeof of === 'string' ? of : github.pull(of).head.sha)
        .map(({ state, description }) => `Commit status: ${state}, “${description}”`)

/** What every run has, or the world makes up. */
const LEFT_OUT =
  /^(result|duration-seconds|comment-url|issue-number|model|repository|ref|created-at|archived-at)$/

const outputsOf = ({ outputs, exitCode }: RunResult): string =>
  [
    exitCode === 0 ? 'green' : 'red',
    ...Object.entries(outputs)
      .filter(([name, value]) => value !== '' && !LEFT_OUT.test(name))
      .map(([name, value]) => `\`${name}\`: ${value}`),
  ].join(' · ')

/** Without the request, which is folded, and the line below it. */
const brief = (text: string): string =>
  text
    .replace(/\n*<details><summary>(Request|Prompt)<\/summary>[\s\S]*?<\/details>/g, '')
    .replace(/\n*<sub>.*<\/sub>/g, '')

/** What the run says once it is over. */
const withoutProgress = (log: string): string =>
  log
    .split('\n')
    .filter(
      (line) =>
        !/^(Docs agent \d|Prompt: |Job \S+ (created|continued|resumed)|Pull request: | +\d+:\d\d )/.test(
          line,
        ),
    )
    .join('\n')

const quoted = (text: string): string => text.trim().replace(/^/gm, '> ').replace(/ +$/gm, '')
const indented = (text: string): string => text.trim().replace(/^/gm, '    ').replace(/ +$/gm, '')
/** What changes without a changed word: ids, links to comments, the version, and seconds that chance decides. */
const steady = (section: string, { service }: World): string =>
  service
    .jobs()
    .reduce((text, { id }, at) => text.replaceAll(id, `j_${at + 1}`), section)
    .replaceAll(VERSION, 'VERSION')
    .replace(/\bj-[\da-f]{16}\b/g, 'j-1')
    .replace(/\/runs\/\d+\/job\/\d+/g, '/runs/1/job/1')
    .replace(/#issuecomment-\d+/g, '#issuecomment-1')
    .replace(/\b\d+ s\b(?= ·|\n|$)/g, 'N s')
    .replace(/^( +)\d+:\d\d(?= )/gm, '$10:00')
    .replace(/^((?:> )?(?:=== (?:begin |end )?|- `))[a-z\d]{10}(?=`? |$)/gm, '$1TOKEN')
