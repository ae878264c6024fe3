import type { Deps, FetchInit } from './action.ts'
import { fieldsOf, textOf } from './history.ts'
import { GUESSED_KEY } from './interfere.ts'
import type { Life } from './life.ts'
import type { World } from './world.ts'

type Act = (deps: Deps, life: Life, world: World) => Deps

/** Something broken between the action and the world, and the rule that must notice. */
export interface Sabotage {
  readonly name: string
  readonly rule: string
  readonly act: Act
}

interface Request {
  readonly url: string
  readonly init: FetchInit
  readonly method: string
  /** Sends it, as it is or with another body. */
  readonly send: (body?: unknown, url?: string, init?: FetchInit) => Promise<Response>
  readonly life: Life
  readonly world: World
}

/** Breaks what goes out, or what comes back. */
const network =
  (act: (request: Request) => Promise<Response>): Act =>
  (deps, life, world) => ({
    ...deps,
    fetch: (url, init) => {
      const send: Request['send'] = (body, to = url, how = init) =>
        deps.fetch(to, body === undefined ? how : { ...how, body: JSON.stringify(body) })
      return act({ url, init, method: init.method ?? 'GET', send, life, world })
    },
  })

const isPrompt = ({ method, url }: Request): boolean => method === 'POST' && url.includes('/v2/agent/')

/** Changes the answers to some requests. */
const answers = (concerns: (request: Request) => boolean, change: (value: unknown) => unknown): Act =>
  network(async (request) => {
    const response = await request.send()
    if (!concerns(request) || !response.ok || response.status === 204) return response
    const { status, headers } = response
    return new Response(JSON.stringify(change(await response.json())), { status, headers })
  })

/** Changes the bodies of some requests. */
const bodies = (
  concerns: (request: Request) => boolean,
  change: (fields: Readonly<Record<string, unknown>>, request: Request) => object,
): Act =>
  network((request) =>
    concerns(request) ? request.send(change(fieldsOf(textOf(request.init.body)), request)) : request.send(),
  )

const core =
  (act: (core: Deps['core'], life: Life) => Partial<Deps['core']>): Act =>
  (deps, life) => ({ ...deps, core: { ...deps.core, ...act(deps.core, life) } })

/** @param change `undefined` for no output */
const output = (of: string, change: (value: string, life: Life) => string | undefined): Act =>
  core(({ setOutput }, life) => ({
    setOutput(name, value) {
      const changed = name === of ? change(value, life) : value
      if (changed !== undefined) setOutput(name, changed)
    },
  }))

/** What the workflow gives is another value, or none. */
const input = (of: string, value: string): Act =>
  core(({ getInput }) => ({ getInput: (name) => (name === of ? value : getInput(name)) }))

const isWrite = (path: RegExp) => (request: Request) => request.method !== 'GET' && path.test(request.url)
const isRead = (path: RegExp) => (request: Request) => request.method === 'GET' && path.test(request.url)
const isComment = isWrite(/\/comments(\/\d+)?$/)

const replaced = (value: unknown, what: RegExp, by: string): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(what, by))

let salt = 0

/** By the rule that must notice: what is broken, and how. */
const BROKEN: Readonly<Record<string, readonly [name: string, act: Act]>> = {
  'asked-once': [
    'each request to the agent goes out twice',
    network(async (request) => {
      if (isPrompt(request)) await (await request.send()).text()
      return await request.send()
    }),
  ],
  'same-changes-once': [
    'the same files look like others each time',
    answers(isRead(/\/pulls\/\d+\/files/), (value) => replaced(value, /"patch":"/g, `"patch":"${++salt}`)),
  ],
  'one-thread-one-job': ['each thread looks empty', answers(isRead(/\/issues\/\d+\/comments\?/), () => [])],
  'sweeps-ask-nothing': [
    'a sweep sends a message to each job that it reads',
    network(async (request) => {
      const { life, method, url, init } = request
      if (life.role === 'sweep' && method === 'GET' && /\/job\/[^/]+$/.test(url))
        await request.send({ prompt: 'Go on' }, `${url}/message`, { ...init, method: 'POST' })
      return await request.send()
    }),
  ],
  'other-files-ask-nothing': ['all files count, whatever `paths` names', input('paths', '')],
  'id-in-outputs': ['the id of the job is not written to the outputs', output('job-id', () => undefined)],
  'end-in-thread': [
    'results stay as they were when the job began',
    bodies(isComment, (fields) => ({
      ...fields,
      body: textOf(fields.body).replaceAll(/https:\/\/github\.com\/octo\/\w+\/pull\/\d+/g, 'a pull request'),
    })),
  ],
  'only-those-who-may': [
    'GitHub says that everybody may do anything',
    answers(isRead(/\/permission$/), () => ({ permission: 'admin', role_name: 'admin' })),
  ],
  'no-loops': ['each bot is listed', input('allowed-bots', 'mintlify[bot], alice')],
  'forged-counts-for-nothing': ['somebody guesses the key of the records', input('memory-key', GUESSED_KEY)],
  'secrets-kept': [
    'the log names the key',
    core(({ info, getInput }) => ({ info: (line) => info(`${line} ${getInput('api-key')}`) })),
  ],
  'nothing-injected': [
    'an output goes on in the next line',
    output('comment-url', (url) => `${url}\nforged=1`),
  ],
  'text-as-shown': [
    'what GitHub hides reaches the agent',
    bodies(isPrompt, (fields, { world }) => ({
      ...fields,
      prompt: `${textOf(fields.prompt)}\n${world.story.body}`,
    })),
  ],
  'mentions-no-others': [
    'comments mention somebody else',
    bodies(isComment, (fields) => ({ ...fields, body: `@mallory ${textOf(fields.body)}` })),
  ],
  'no-green-over-red': [
    'the checks of a pull request all pass',
    answers(isRead(/\/commits\/[\da-f]+\/(check-runs|status)\b/), (value) =>
      replaced(value, /"(failure|timed_out|error|startup_failure)"/g, '"success"'),
    ),
  ],
  'checks-true': [
    'what has no verdict passes',
    answers(isRead(/\/commits\/[\da-f]+\/(check-runs|status|check-suites)\b/), (value) =>
      replaced(
        replaced(value, /"(pending|action_required|cancelled|stale)"/g, '"success"'),
        /"status":"\w+","conclusion":null/g,
        '"status":"completed","conclusion":"success"',
      ),
    ),
  ],
  'latest-decides': [
    'each status is a success',
    bodies(isWrite(/\/statuses\//), (fields) => ({ ...fields, state: 'success' })),
  ],
  'service-decides': [
    'a run ends as GitHub wants',
    output('reason', (value, { calls }) =>
      calls.some(({ method, path }) => method === 'POST' && path.startsWith('/v2/agent/'))
        ? 'github-unavailable'
        : value,
    ),
  ],
  'one-end': ['the outcome is not written', output('outcome', () => undefined)],
  'said-to-people': [
    'a red run does not say why',
    core(({ setFailed }) => ({ setFailed: () => setFailed('') })),
  ],
}

export const SABOTAGES: readonly Sabotage[] = Object.entries(BROKEN).map(([rule, [name, act]]) => ({
  ...{ rule, name, act },
}))
