import { basename } from 'node:path'
import type { RequestEntry } from '../../emulator/requests.ts'
import type { Step } from '../../emulator/runner/step.ts'
import type { RunResult } from '../../emulator/runner.ts'
import { asObject, asString, parseJson } from '../../src/base/json.ts'
import { currentStep } from '../helpers/step-in-process.ts'
import type { World, world } from '../helpers/world.ts'

/** Something that happens, and the runs that it triggers. */
export interface Play {
  /** What that is, in a sentence. */
  readonly says: string
  readonly world: () => ReturnType<typeof world>
  /** What came before; its calls are not shown. */
  readonly before?: (world: World) => Promise<unknown>
  readonly run: (world: World) => Promise<RunResult | readonly RunResult[]>
}

interface Call extends RequestEntry {
  readonly step: Step
}

/** A Monday. */
const START = Date.UTC(2026, 0, 5, 9)
/** About what an answer takes: calls that go out before the first of them is answered are one round. */
const ANSWER_MS = 150

/** A section of the page. */
export async function played(title: string, play: Play): Promise<string> {
  const world = play.world()
  world.setWallClock(START - world.settings.now())
  await play.before?.(world)
  world.clearRequests()
  // Of each request, in the order of the emulator's log.
  const steps: Step[] = []
  world.faults.source = () => {
    const step = currentStep.getStore()
    if (step === undefined) throw new Error('a request that no step sends')
    steps.push(step)
    return { kind: 'delay', ms: ANSWER_MS }
  }
  const results = [await play.run(world)].flat()
  const calls = steps.flatMap((step, at) => {
    const entry = world.requests[at]
    return entry === undefined ? [] : { ...entry, step }
  })
  const rounds = roundsOf(calls).map((round) => linesOf(round, calls))
  const total = `${endOf(results)} · ${totalsOf(calls)} · round trips: ${rounds.length}`
  return steady([`## ${title}`, play.says, fenced(folded(rounds)), total].join('\n\n'), world)
}

/** A call belongs to a later round than all those that were answered before it went out. */
function roundsOf(calls: readonly Call[]): Call[][] {
  const rounds: Call[][] = []
  const roundOf = new Map<Call, number>()
  for (const call of calls.toSorted((a, b) => a.at - b.at)) {
    const earlier = calls.filter(({ answeredAt }) => answeredAt <= call.at)
    const round = Math.max(-1, ...earlier.map((one) => roundOf.get(one) ?? -1)) + 1
    roundOf.set(call, round)
    rounds[round] = [...(rounds[round] ?? []), call]
  }
  return rounds
}

/** One line a call; which one of a round comes first is chance. */
function linesOf(round: readonly Call[], calls: readonly Call[]): string[] {
  const isOne = calls.every(({ step }) => nameOf(step) === nameOf(calls[0]?.step))
  const lines = round.map((call) => {
    const who = isOne ? '' : nameOf(call.step).padEnd(7)
    const host = { github: 'GitHub', service: 'service', storage: 'storage' }[call.host].padEnd(8)
    return `${who}${host}${call.method.padEnd(7)}${targetOf(call)}${aboutOf(call)}`
  })
  return lines.sort().map((line, at) => `${at === 0 ? '  ' : '& '}${line}`)
}

/** By the files that the actions name. */
const STEPS: Readonly<Record<string, string>> = { main: 'run', post: 'post', collect: 'sweep' }

/** The step; where two runs go at once, these have the ids 1 and 2. */
const nameOf = (step: Step | undefined): string => {
  const name = STEPS[basename(step?.script ?? '', '.js')] ?? ''
  const run = step?.env.GITHUB_RUN_ID ?? ''
  return run.length > 1 ? name : `${name} ${run}`
}

function targetOf({ path, query }: Call): string {
  const given = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return given.length === 0 ? path : `${path}?${given.join('&')}`
}

const RECORD = /<!-- docs-agent:\d+:([\w-]+):/

/** What a call writes or asks that its path does not say, and its status, where that is no 2xx. */
function aboutOf({ body, status }: Call): string {
  const said = asObject(body)
  const [, payload = ''] = RECORD.exec(asString(said.body)) ?? []
  const { state } = asObject(parseJson(Buffer.from(payload, 'base64url').toString()))
  const [, field = ''] = /(createdViaEmail|reviewThreads|minimizeComment)/.exec(asString(said.query)) ?? []
  const about = [asString(state), asString(said.state), asString(said.content), field].filter(Boolean)
  const isFine = status !== null && status < 300
  return [...about.map((word) => ` · ${word}`), isFine ? '' : ` → ${status ?? 'no answer'}`].join('')
}

const fenced = (lines: readonly string[]): string => ['```text', ...lines, '```'].join('\n')

/** Rounds that repeat, alone or in pairs, stand there once. */
function folded(rounds: readonly (readonly string[])[]): string[] {
  const texts = rounds.map((round) => round.join('\n'))
  const lines: string[] = []
  for (let at = 0; at < rounds.length; ) {
    const [length, times] = repeated(texts, at)
    const block = rounds.slice(at, at + length).flat()
    lines.push(...(times === 1 ? block : block.map((line) => `${line}  (${times} times)`)))
    at += length * times
  }
  return lines
}

/** The block that begins there, in rounds, and how often it comes in a row. */
function repeated(texts: readonly string[], from: number): readonly [length: number, times: number] {
  for (const length of [1, 2]) {
    const isSame = (at: number) => at < texts.length && texts[at] === texts[at - length]
    let end = from + length
    while (isSame(end)) end += 1
    const times = Math.floor((end - from) / length)
    if (times > 1) return [length, times]
  }
  return [1, 1]
}

/** How the runs ended, in their order. */
const endOf = (results: readonly RunResult[]): string =>
  results
    .map(({ signal, outputs: { outcome, reason = '', finished = '' } }) => {
      if (signal !== null) return 'killed'
      return outcome === undefined ? `finished: ${finished}` : [outcome, reason].filter(Boolean).join(', ')
    })
    .map((end) => `\`${end}\``)
    .join(', ')

function totalsOf(calls: readonly Call[]): string {
  const github = calls.filter(({ host }) => host === 'github').length
  return `to GitHub: ${github} · to the service: ${calls.length - github}`
}

/** What changes without a changed call: ids, by the order in which they come, and times. */
function steady(section: string, { service }: World): string {
  const jobs = service.jobs().map(({ id }) => id)
  const named = (text: string, pattern: RegExp, name: string) => {
    const seen = [...new Set(text.match(pattern))]
    return text.replace(pattern, (id) => `${name}${seen.indexOf(id) + 1}`)
  }
  const withoutJobs = jobs.reduce((text, id, at) => text.replaceAll(id, `job${at + 1}`), section)
  const withoutTimes = withoutJobs.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
  return named(named(withoutTimes, /\b[\da-f]{40}\b/g, 'sha'), /\b[1-9]\d{6,}\b/g, 'id')
}
