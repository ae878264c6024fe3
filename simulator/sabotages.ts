import { asArray, asObject, asString, parseJson } from '../src/json.ts'
import type { Deps, Fetch, FetchInit } from './action.ts'
import type { Life } from './life.ts'
import { isOfRequest, recordIn, resigned as signedAnew } from './records.ts'
import {
  type Certain,
  FAILING,
  FLICKERING,
  ofCode,
  REFRESH,
  SLOW_CHECKS,
  UNRELIABLE,
  UNSIGNED,
} from './situations.ts'
import { agentPulls, ISSUE, scopeOf, type World } from './world.ts'

type Act = (deps: Deps, life: Life, world: World) => Deps

interface Broken {
  readonly act: Act
  /** In which stories it shows; by default, in those in which nothing goes wrong. */
  readonly where?: Certain
}

/** Something broken between the action and the world, and the rule that must notice. */
export interface Sabotage extends Broken {
  readonly name: string
  readonly rule: string
}

const given = (where: Certain, act: Act): Broken => ({ where, act })

interface Request {
  readonly url: string
  readonly init: FetchInit
  /** Sends it as it is. */
  readonly pass: () => Promise<Response>
  /** Sends something else. */
  readonly send: Fetch
  readonly world: World
  readonly life: Life
}

/** A command on a pull request of the code, whose token can set its status. */
const STATUS: Certain & { readonly ask: { readonly on: 'pull' } } = {
  story: { permissions: { issues: 'write', pull_requests: 'write', contents: 'read', statuses: 'write' } },
  ask: { on: 'pull' },
  inputs: { 'commit-status': 'docs' },
}

/** Breaks what goes out, or what comes back. */
const network =
  (act: (request: Request) => Promise<Response>): Act =>
  (deps, life, world) => ({
    ...deps,
    fetch: (url, init) =>
      act({ url, init, pass: () => deps.fetch(url, init), send: deps.fetch, world, life }),
  })

const core =
  (act: (core: Deps['core'], life: Life) => Partial<Deps['core']>): Act =>
  (deps, life) => ({ ...deps, core: { ...deps.core, ...act(deps.core, life) } })

/** @param change `undefined` for no output */
const output = (of: string, change: (value: string) => string | undefined) =>
  core(({ setOutput }) => ({
    setOutput(name, value) {
      const changed = name === of ? change(value) : value
      if (changed !== undefined) setOutput(name, changed)
    },
  }))

/** A check run that no page shows. */
const RUNNING = {
  ...{ id: 7, name: 'ghost', status: 'in_progress', conclusion: null, head_sha: '1'.repeat(40) },
  ...{ app: { slug: 'github-actions' }, check_suite: { id: 7 }, output: {}, html_url: 'https://github.com' },
}

const methodOf = ({ init }: Request): string => init.method ?? 'GET'
const isToService = ({ url }: Request): boolean => url.includes('/v2/agent/')
const isListing = (request: Request): boolean =>
  methodOf(request) === 'GET' && /\/issues\/\d+\/comments\?/.test(request.url)
const isPrompt = (request: Request): boolean => methodOf(request) === 'POST' && isToService(request)

const bodyOf = ({ init }: Request): Record<string, unknown> => ({
  ...asObject(parseJson(asString(init.body))),
})

/** The same request with another body. */
const withBody = ({ init }: Request, body: unknown): FetchInit => ({ ...init, body: JSON.stringify(body) })

/** Sends something else to the same host, with the same credentials. */
async function alsoSends({ init, send }: Request, method: string, url: string, body: object): Promise<void> {
  const { headers = {} } = init
  await (await send(url, { method, headers, body: JSON.stringify(body), redirect: 'manual' })).text()
}

const isToGitHub = ({ url, world }: Request): boolean => url.startsWith(world.emulator.githubUrl)

/** Changes some answers, and leaves the others alone. */
const answers = (
  concerns: (request: Request) => boolean,
  change: (value: unknown, request: Request) => unknown,
): Act =>
  network(async (request) => {
    const response = await request.pass()
    if (!concerns(request)) return response
    const text = await response.text()
    const { status, headers } = response
    const value = parseJson(text)
    return new Response(value === undefined ? text : JSON.stringify(change(value, request)), {
      status,
      headers,
    })
  })

/** Lists are empty. */
const hides = (concerns: (request: Request) => boolean): Act => answers(concerns, () => [])

/** What broke once breaks again: no second try has an answer. */
const breaksForGood: Act = (deps, life, world) => {
  const broken = new Map<string, unknown>()
  return network(async (request) => {
    const what = `${methodOf(request)} ${request.url}`
    if (broken.has(what)) throw broken.get(what)
    try {
      return await request.pass()
    } catch (error) {
      if (isToGitHub(request)) broken.set(what, error)
      throw error
    }
  })(deps, life, world)
}

const followsRedirects = (concerns: (request: Request) => boolean): Act =>
  network(async (request) => {
    const response = await request.pass()
    const location = response.headers.get('location') ?? ''
    const follows = response.status >= 300 && concerns(request) && /^https:/.test(location)
    return follows ? await request.send(location, { redirect: 'manual' }) : response
  })

/** What a prompt says of it gets lost. */
const loses = (words: RegExp): Act =>
  network(async (request) => {
    const prompt = asString(bodyOf(request).prompt).replace(words, '')
    const init = isPrompt(request) ? withBody(request, { prompt }) : request.init
    return await request.send(request.url, init)
  })

/** Does something to the result that a thread has, when a process looks for it. */
const toResult = (act: (request: Request, result: Record<string, unknown>) => Promise<void>): Act =>
  network(async (request) => {
    const response = await request.pass()
    if (!isListing(request)) return response
    const comments = asArray(parseJson(await response.clone().text())).map(asObject)
    const result = comments.find(({ body }) => {
      return recordIn(asString(body), scopeOf(request.world, ISSUE))?.kind === 'reported'
    })
    if (result !== undefined) await act(request, result)
    return response
  })

/** By the rule that must notice. */
const BROKEN: Readonly<Record<string, Readonly<Record<string, Act | Broken>>>> = {
  served: {
    'GitHub says that nobody may do anything': answers(
      ({ url }) => url.endsWith('/permission'),
      () => ({ permission: 'none', role_name: 'none' }),
    ),
  },
  'never-twice': {
    'each request to the agent goes out twice': network(async (request) => {
      if (isPrompt(request)) await (await request.pass()).text()
      return await request.pass()
    }),
  },
  'nothing-lost': {
    'the id of the job is not written to the outputs': output('job-id', () => undefined),
  },
  'no-job-for-own-pulls': {
    "no record tells that a pull request is the agent's own": given(
      {
        story: { followsPulls: true, agentLogin: 'alice', agentSign: 'app' },
        ask: { turn: { durationMs: 600_000, opensAfterMs: 60_000 } },
      },
      hides(({ url }) => /\/issues\/comments\?sort=/.test(url)),
    ),
  },
  'fixes-are-few': {
    'failures go back to the agent without end': given(
      {
        inputs: { 'fix-attempts': '1' },
        story: { checks: [[{ name: 'build', conclusion: 'failure' }]] },
      },
      network(async (request) => {
        const response = await request.pass()
        const { id, status, prLink } = asObject(parseJson(await response.clone().text()))
        const isRead = request.life.role === 'main' && methodOf(request) === 'GET' && isToService(request)
        if (!isRead || status !== 'completed' || !prLink) return response
        const url = `${request.world.emulator.serviceUrl}/v2/agent/docs/job/${asString(id)}/message`
        await alsoSends(request, 'POST', url, { prompt: 'Fix what fails' })
        return response
      }),
    ),
  },
  'job-continued': {
    "a message goes to a stranger's job": network(async ({ url, init, send, world }) =>
      send(url.replace(/\/job\/[^/]+\/message$/, `/job/${world.foreignJob}/message`), init),
    ),
  },
  'what-follows': {
    'labels are taken for set': given(
      { inputs: { labels: 'docs' } },
      network(async (request) =>
        request.url.endsWith('/labels') ? Response.json([]) : await request.pass(),
      ),
    ),
  },
  'checks-true': {
    'what has passed is called pending': given(
      { ...FAILING, story: { checks: [[{ name: 'build' }]] } },
      output('checks', () => 'pending'),
    ),
  },
  'asks-little': {
    'each reading of the checks counts': given(
      SLOW_CHECKS,
      network(async ({ url, init, send }) => {
        const headers = new Headers(init.headers)
        headers.delete('if-none-match')
        return await send(url, { ...init, headers: Object.fromEntries(headers) })
      }),
    ),
  },
  'result-arrives': {
    'a request to GitHub that breaks is never answered (result-arrives)': given(FLICKERING, breaksForGood),
  },
  'one-result': {
    'the status comment stays beside the result': given(
      { inputs: { wait: 'false' } },
      network(async (request) => {
        const deletes = methodOf(request) === 'DELETE' && /\/comments\/\d+$/.test(request.url)
        return deletes ? new Response(null, { status: 204 }) : await request.pass()
      }),
    ),
  },
  'result-stays': {
    'a result is deleted': toResult((request, { url }) => alsoSends(request, 'DELETE', asString(url), {})),
  },
  'no-refusal-by-mistake': {
    'a permission that cannot be read counts as none': given(
      FLICKERING,
      network(async (request) => {
        const response = await request.pass().catch(() => undefined)
        if (response !== undefined && (response.status < 500 || !request.url.endsWith('/permission')))
          return response
        return Response.json({ permission: 'none', role_name: 'none' })
      }),
    ),
  },
  'status-of-same-changes': {
    'a head that brings nothing new gets no status': given(
      { ...STATUS, ask: { ...STATUS.ask, event: 'code-rebased' } },
      network(async (request) => {
        const isVerdict = methodOf(request) === 'POST' && /\/statuses\/\w+$/.test(request.url)
        const hasAsked = request.life.calls.some(
          ({ path, method }) => method === 'POST' && path.startsWith('/v2/'),
        )
        return isVerdict && !hasAsked && bodyOf(request).state !== 'pending'
          ? Response.json({}, { status: 201 })
          : await request.pass()
      }),
    ),
  },
  'each-change-once': {
    'each push looks like a force push, so the whole goes out again': given(
      { ...STATUS, ask: { ...STATUS.ask, event: 'code-pushed' } },
      answers(
        ({ url }) => url.includes('/compare/'),
        (compared) => ({ ...asObject(compared), status: 'diverged' }),
      ),
    ),
  },
  'no-stranger-decides': {
    'the head is pending before the permission is known': given(
      { ...STATUS, ask: { ...STATUS.ask, author: 'carol', sender: 'carol' } },
      network(async (request) => {
        const response = await request.pass()
        const isPermission = request.url.endsWith('/permission')
        const status = request.url.replace(/\/collaborators\/.*$/, `/statuses/${'1'.repeat(40)}`)
        return isPermission
          ? await alsoSends(request, 'POST', status, { state: 'pending' }).then(() => response)
          : response
      }),
    ),
  },
  'nothing-left-working': {
    'the verdict never arrives': given(
      STATUS,
      network(async (request) => {
        const isVerdict = /\/statuses\/\w+$/.test(request.url) && bodyOf(request).state !== 'pending'
        return isVerdict && methodOf(request) === 'POST'
          ? Response.json({}, { status: 201 })
          : await request.pass()
      }),
    ),
  },
  'sentences-true': {
    'the log says that nothing was sent': core(({ info }) => ({
      info: (line) => info(`${line} Nothing was sent to the docs agent.`),
    })),
  },
  'text-as-shown': {
    'a word of the request gets lost': loses(/word-\d{9}/),
  },
  'agreed-outcome': {
    'the run does not say how it ended': output('outcome', () => undefined),
  },
  'results-agree': {
    'an output keeps its line breaks': output('model', (value) => `${value}\n`),
  },
  'truthful-action': {
    'the run says that it has continued a job which it has created': output('job-action', (value) =>
      value.replace(/^created$/, 'continued'),
    ),
  },
  'nothing-for-strangers': {
    'nobody asks GitHub what a person may do': network(async ({ url, pass }) =>
      url.endsWith('/permission') ? Response.json({ permission: 'admin', role_name: 'admin' }) : await pass(),
    ),
  },
  'only-own-jobs': {
    'the signature of a record does not count': given(
      { before: ['forge-record', 'forge-record'] },
      answers(isListing, (comments, request) => resigned(request, comments)),
    ),
  },
  'secrets-kept': {
    'the key stands in the summary': core(({ setSummary }) => ({
      setSummary: (markdown) => setSummary(`${markdown} test-key`),
    })),
  },
  'no-redirects': {
    'redirects of the service are followed to another origin': given(
      UNRELIABLE,
      followsRedirects(isToService),
    ),
  },
  'commands-meant': {
    'a line of the log is a command': core((_, life) => ({ info: (line) => life.log.line(line) })),
  },
  'files-meant': {
    'the action writes an output of another name': core(({ setOutput }) => ({
      setOutput: (name, value) => setOutput(name.replace('comment-url', 'comment'), value),
    })),
  },
  'reads-at-deadline': {
    'the last pause ends after the deadline': given(
      { inputs: { 'timeout-minutes': '2' }, ask: { turn: { ending: 'active-forever' } } },
      network(async (request) => {
        const { life, world } = request
        const isLast = world.clock.now() > life.bornAt + 119_900
        if (isLast && isToService(request)) throw new TypeError('fetch failed')
        return await request.pass()
      }),
    ),
  },
  'nothing-after-deadline': {
    'the deadline does not count': given({ inputs: { 'timeout-minutes': '2' } }, (deps, life) => ({
      ...deps,
      monotonic: () => life.bornAt + (deps.monotonic() - life.bornAt) / 2,
    })),
  },
  'ends-in-time': {
    'a pause never ends': (deps) => ({ ...deps, sleep: () => new Promise(() => {}) }),
  },
  'cancelled-soon': {
    'a cancelled run waits on': given(
      { attempt: { blows: [{ place: 'sleep', nth: 2, effect: { kind: 'cancel' } }] } },
      (deps) => {
        const never = new AbortController().signal
        return { ...deps, cancellation: { requested: never, sendingEnds: never, everythingEnds: never } }
      },
    ),
  },
  patient: {
    'the pauses between two reads are a hundredth': (deps) => ({
      ...deps,
      monotonic: () => deps.monotonic() * 100,
      sleep: (ms, signal) => deps.sleep(ms / 100, signal),
    }),
  },
  'few-tries': {
    'a comment goes out five times': network(async (request) => {
      const isComment = methodOf(request) === 'POST' && request.url.endsWith('/comments')
      for (let more = isComment ? 4 : 0; more > 0; more -= 1) await (await request.pass()).text()
      return await request.pass()
    }),
  },
  'nobody-else-mentioned': {
    'comments mention somebody else': network(async (request) => {
      const { body, ...rest } = bodyOf(request)
      const isText = typeof body === 'string'
      const init = isText ? withBody(request, { ...rest, body: `@mallory ${body}` }) : request.init
      return await request.send(request.url, init)
    }),
  },
  'one-tracking-issue': {
    'the tracking issue is not found again': given(
      { ...REFRESH, before: ['merge-change'] },
      hides(({ url }) => /\/issues\?/.test(url)),
    ),
  },
  'each-merge-once': {
    'a push leaves out what it merged': given(
      { ask: { event: 'push', merges: ['person'] } },
      loses(/merged-\d+;/g),
    ),
  },
  'push-has-thread': {
    'a push that merged a pull request has no thread': given(
      { ask: { event: 'push', merges: ['person'] } },
      hides(({ url }) => /\/(?:commits\/[\da-f]+\/pulls|pulls\?)/.test(url)),
    ),
  },
  'finishing-decides-nothing': {
    'the labels go to the thread': given(
      { inputs: { labels: 'docs' } },
      network(async ({ url, init, send }) => send(url.replace(/\d+(?=\/labels$)/, String(ISSUE)), init)),
    ),
  },
  'sweeps-start-nothing': {
    'a sweep asks the jobs to go on': given(
      { inputs: { wait: 'false' } },
      network(async (request) => {
        const isRead = request.life.role === 'sweep' && isToService(request) && methodOf(request) === 'GET'
        if (isRead) await alsoSends(request, 'POST', `${request.url}/message`, { prompt: 'go on' })
        return await request.pass()
      }),
    ),
  },
  'ends-with-its-turn': {
    'each read says that the agent is done': given(
      { ask: { turn: { durationMs: 600_000 } } },
      answers(
        (request) => isToService(request) && methodOf(request) === 'GET',
        (job) => ({ ...asObject(job), status: 'completed' }),
      ),
    ),
  },
  'nothing-green-over-red': {
    'what fails is called a success': given(
      FAILING,
      output('checks', () => 'success'),
    ),
  },
  'waits-for-nothing': {
    'something runs that GitHub does not show': given(
      UNSIGNED,
      answers(
        ({ url }) => /\/check-runs\?/.test(url),
        (found) => ({ ...asObject(found), check_runs: [...asArray(asObject(found).check_runs), RUNNING] }),
      ),
    ),
  },
  'failures-once': {
    'what fails goes out twice': given(
      FAILING,
      network(async (request) => {
        if (isPrompt(request) && !/ask-\d+;/.test(asString(bodyOf(request).prompt)))
          await (await request.pass()).text()
        return await request.pass()
      }),
    ),
  },
  'taken-away-stays-away': {
    'each comment sets the labels once more': given(
      { inputs: { labels: 'docs' }, ask: { turn: { durationMs: 60_000 } }, before: ['take-away'] },
      network(async (request) => {
        const [pull] = agentPulls(request.world)
        const isComment = methodOf(request) === 'POST' && request.url.endsWith('/comments')
        const url = `${request.world.emulator.githubUrl}/repos/octo/app/issues/${pull}/labels`
        if (isComment && pull !== undefined) await alsoSends(request, 'POST', url, { labels: ['docs'] })
        return await request.pass()
      }),
    ),
  },
  'end-told-once': {
    'the end is told twice': given(
      ofCode(['code-labeled'], ['code-closed']),
      network(async (request) => {
        if (asString(bodyOf(request).body).includes('was closed')) await (await request.pass()).text()
        return await request.pass()
      }),
    ),
  },
  'skip-stands': {
    'a push after a skip sets no status': given(
      ofCode(['code-labeled'], ['skip'], ['code-pushed']),
      network(async (request) => {
        const isStatus = methodOf(request) === 'POST' && /\/statuses\/\w+$/.test(request.url)
        const isLast = request.life.name.startsWith('r3.')
        return isStatus && isLast ? Response.json({}, { status: 201 }) : await request.pass()
      }),
    ),
  },
  'one-whole-comment': {
    'no earlier result becomes a line': given(
      ofCode(['code-labeled'], ['code-pushed']),
      network(async (request) => {
        if (!asString(bodyOf(request).body).startsWith('Replaced by')) return await request.pass()
        return Response.json({}, { status: 404 })
      }),
    ),
  },
  'keeps-nobody-away': {
    'each record says that its run waits': network(async (request) => {
      const { body, ...rest } = bodyOf(request)
      const scope = scopeOf(request.world, ISSUE)
      const isRecord = typeof body === 'string' && recordIn(body, scope) !== undefined
      const held =
        isRecord && withBody(request, { ...rest, body: signedAnew(body, scope, { waitsMs: 60_000 }) })
      return await request.send(request.url, held || request.init)
    }),
  },
  'bots-leave-a-status': {
    'no status is set for a bot': given(
      ofCode(['code-labeled'], ['code-pushed', 'renovate[bot]']),
      network(async (request) => {
        const isStatus = methodOf(request) === 'POST' && /\/statuses\/\w+$/.test(request.url)
        const isBots = request.life.name.startsWith('r2.')
        return isStatus && isBots ? Response.json({}, { status: 201 }) : await request.pass()
      }),
    ),
  },
}

export const SABOTAGES: readonly Sabotage[] = Object.entries(BROKEN).flatMap(([rule, acts]) =>
  Object.entries(acts).map(([name, broken]) => ({
    ...(typeof broken === 'function' ? { act: broken } : broken),
    name,
    rule,
  })),
)

/** The forged records of bots, as if they had been signed with the key. */
function resigned({ world, url }: Request, comments: unknown): unknown {
  const thread = Number(/\/issues\/(\d+)\/comments/.exec(url)?.[1])
  const guessed = { ...scopeOf(world, thread), secret: 'a guess' }
  return asArray(comments).map((comment) => {
    const body = asString(asObject(comment).body)
    const forged = recordIn(body, guessed)
    if (forged === undefined || !isOfRequest(forged)) return comment
    return { ...asObject(comment), body: signedAnew(body, scopeOf(world, thread)) }
  })
}
