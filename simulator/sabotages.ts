import type { Deps, FetchInit } from './action.ts'
import { fieldsOf, textOf } from './history.ts'
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
  readonly send: (body?: unknown) => Promise<Response>
  readonly life: Life
  readonly world: World
}

/** Breaks what goes out, or what comes back. */
const network =
  (act: (request: Request) => Promise<Response>): Act =>
  (deps, life, world) => ({
    ...deps,
    fetch: (url, init) => {
      const send = (body?: unknown) =>
        deps.fetch(url, body === undefined ? init : { ...init, body: JSON.stringify(body) })
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

const isComment = ({ method, url }: Request): boolean => method !== 'GET' && /\/comments(\/\d+)?$/.test(url)
const isStatus = ({ method, url }: Request): boolean => method === 'POST' && url.includes('/statuses/')

/** By the rule that must notice. */
const BROKEN: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  'asked-once': {
    'each request to the agent goes out twice': network(async (request) => {
      if (isPrompt(request)) await (await request.send()).text()
      return await request.send()
    }),
  },
  'one-thread-one-job': {
    'nobody sees the comments of a thread': answers(
      ({ method, url }) => method === 'GET' && /\/issues\/\d+\/comments\?/.test(url),
      () => [],
    ),
  },
  'id-in-outputs': {
    'the id of the job is not written to the outputs': output('job-id', () => undefined),
  },
  'end-in-thread': {
    'results stay as they were when the job began': bodies(isComment, (fields) => ({
      ...fields,
      body: textOf(fields.body).replaceAll(/https:\/\/github\.com\/octo\/\w+\/pull\/\d+/g, 'a pull request'),
    })),
  },
  'only-those-who-may': {
    'GitHub says that everybody may do anything': answers(
      ({ url }) => url.endsWith('/permission'),
      () => ({ permission: 'admin', role_name: 'admin' }),
    ),
  },
  'secrets-kept': {
    'the log names the key': core(({ info, getInput }) => ({
      info: (line) => info(`${line} ${getInput('api-key')}`),
    })),
  },
  'nothing-injected': {
    'an output goes on in the next line': output('comment-url', (value) => `${value}\nforged=1`),
  },
  'text-as-shown': {
    'what GitHub hides reaches the agent': bodies(isPrompt, (fields, { world }) => ({
      ...fields,
      prompt: `${textOf(fields.prompt)}\n${world.story.body}`,
    })),
  },
  'no-green-over-red': {
    'the checks of a pull request all pass': answers(
      ({ method, url }) => method === 'GET' && /\/commits\/[\da-f]+\/(check-runs|status)\b/.test(url),
      (value) =>
        JSON.parse(
          JSON.stringify(value).replaceAll(/"(failure|timed_out|error|startup_failure)"/g, '"success"'),
        ) as unknown,
    ),
  },
  'latest-decides': {
    'each status is a success': bodies(isStatus, (fields) => ({ ...fields, state: 'success' })),
  },
  'service-decides': {
    'a run ends as GitHub wants': output('reason', (value, { calls }) =>
      calls.some(({ method, path }) => method === 'POST' && path.startsWith('/v2/agent/'))
        ? 'github-unavailable'
        : value,
    ),
  },
  'one-end': {
    'the outcome is not written': output('outcome', () => undefined),
  },
}

export const SABOTAGES: readonly Sabotage[] = Object.entries(BROKEN).flatMap(([rule, acts]) =>
  Object.entries(acts).map(([name, act]) => ({ name, rule, act })),
)
