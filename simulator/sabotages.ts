import { asArray, asObject, asString, parseJson } from '../src/json.ts'
import type { Deps, Fetch, FetchInit } from './action.ts'
import type { Life } from './life.ts'
import { isOfRequest, recordIn, resigned as signedAnew } from './records.ts'
import { type Certain, FLICKERING, MISLED, REFRESH, UNRELIABLE } from './situations.ts'
import { ISSUE, scopeOf, type World } from './world.ts'

/** Something broken between the action and the world, and the rule that must notice. */
export interface Sabotage {
  readonly name: string
  readonly rule: string
  /** In which stories it shows; by default, in those in which nothing goes wrong. */
  readonly where?: Certain
  readonly act: (deps: Deps, life: Life, world: World) => Deps
}

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

/** Breaks what goes out, or what comes back. */
const network =
  (act: (request: Request) => Promise<Response>): Sabotage['act'] =>
  (deps, life, world) => ({
    ...deps,
    fetch: (url, init) =>
      act({ url, init, pass: () => deps.fetch(url, init), send: deps.fetch, world, life }),
  })

const core =
  (act: (core: Deps['core'], life: Life) => Partial<Deps['core']>): Sabotage['act'] =>
  (deps, life) => ({ ...deps, core: { ...deps.core, ...act(deps.core, life) } })

const output = (change: (name: string, value: string) => readonly [string, string] | undefined) =>
  core(({ setOutput }) => ({
    setOutput(name, value) {
      const changed = change(name, value)
      if (changed !== undefined) setOutput(...changed)
    },
  }))

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
const isFirstAttempt = ({ life }: Request): boolean => life.name.endsWith('.1 main')

/** Changes some answers, and leaves the others alone. */
const answers = (
  concerns: (request: Request) => boolean,
  change: (value: unknown, request: Request) => unknown,
): Sabotage['act'] =>
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

/** Ways of version 1.1, at the border where each shows. */
const OF_1_1: readonly Sabotage[] = [
  ...(['served', 'text-as-shown', 'result-arrives'] as const).map(
    (rule): Sabotage => ({
      name: `a request to GitHub that breaks is never answered (${rule})`,
      rule,
      where: FLICKERING,
      act: breaksForGood(),
    }),
  ),
  {
    name: 'a result that GitHub does not take at once is given up',
    rule: 'result-arrives',
    where: FLICKERING,
    act: (deps, life, world) => {
      let isAway = false
      return network(async (request) => {
        const isWrite = methodOf(request) !== 'GET' && isToGitHub(request)
        if (isAway && isWrite && asString(bodyOf(request).body).includes('docs-agent:'))
          return new Response('', { status: 404 })
        const response = await request.pass().catch((error: unknown) => {
          isAway ||= isToGitHub(request)
          throw error
        })
        isAway ||= isToGitHub(request) && response.status >= 500
        return response
      })(deps, life, world)
    },
  },
  {
    name: 'a sweep does not see what is still open',
    rule: 'one-result',
    where: { inputs: { wait: 'false' } },
    act: answers(
      ({ url, life }) => life.role === 'sweep' && /\/issues\/comments\?/.test(url),
      () => [],
    ),
  },
  {
    name: 'each warning says that the thread does not remember the request',
    rule: 'sentences-true',
    where: { inputs: { reviewers: 'nobody-there' } },
    act: core(({ warning }) => ({
      warning: (text) => warning(`${text} The thread does not remember this request.`),
    })),
  },
  {
    name: 'any 404 is the end of a job',
    rule: 'served',
    where: UNRELIABLE,
    act: network(async (request) => {
      const response = await request.pass()
      if (!isToService(request) || response.status !== 404) return response
      return Response.json({ error: 'Job not found' }, { status: 404 })
    }),
  },
  {
    name: "no record tells that a pull request is the agent's own",
    rule: 'no-job-for-own-pulls',
    where: { story: { followsPulls: true, agentLogin: 'alice' } },
    act: answers(
      ({ url }) => /\/issues\/comments\?sort=/.test(url),
      () => [],
    ),
  },
  {
    name: 'a re-run whose prompt was computed anew does not know its record',
    rule: 'never-twice',
    where: { ask: { event: 'schedule', isComputed: true }, inputs: { 'issue-number': '12' } },
    act: answers(
      (request) => isListing(request) && /what came since/.test(request.life.inputs.prompt ?? ''),
      () => [],
    ),
  },
  {
    name: 'a push whose comparison cannot be read has no thread',
    rule: 'push-has-thread',
    where: { ask: { event: 'push', merges: ['person'] } },
    act: answers(
      ({ url }) => /\/commits\/[\da-f]+\/pulls/.test(url),
      () => [],
    ),
  },
  {
    name: 'a permission that cannot be read counts as none',
    rule: 'no-refusal-by-mistake',
    where: FLICKERING,
    act: network(async (request) => {
      const response = await request.pass().catch(() => undefined)
      if (response !== undefined && (response.status < 500 || !request.url.endsWith('/permission')))
        return response
      return Response.json({ permission: 'none', role_name: 'none' })
    }),
  },
  {
    name: 'a run says that GitHub is away where its token lacks a permission',
    rule: 'served',
    act: output((name, value) => [name, name === 'reason' && value === '' ? 'github-unavailable' : value]),
  },
  {
    name: 'failures go back to the agent without end',
    rule: 'fixes-are-few',
    where: {
      inputs: { 'fix-attempts': '1' },
      story: { checks: [[{ name: 'build', conclusion: 'failure' }]] },
    },
    act: network(async (request) => {
      const response = await request.pass()
      const jobId = asString(asObject(parseJson(await response.clone().text())).id)
      const { status, prLink } = asObject(parseJson(await response.clone().text()))
      const isOver =
        request.life.role === 'main' && methodOf(request) === 'GET' && status === 'completed' && prLink
      if (!isToService(request) || !isOver) return response
      const url = `${request.world.emulator.serviceUrl}/v2/agent/docs/job/${jobId}/message`
      await alsoSends(request, 'POST', url, { prompt: 'Fix what fails' })
      return response
    }),
  },
]

/** What broke once breaks again: no second try has an answer. */
function breaksForGood(): Sabotage['act'] {
  return (deps, life, world) => {
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
}

export const SABOTAGES: readonly Sabotage[] = [
  ...OF_1_1,
  {
    name: 'each request to the agent goes out twice',
    rule: 'never-twice',
    act: network(async (request) => {
      if (isPrompt(request)) await (await request.pass()).text()
      return await request.pass()
    }),
  },
  {
    name: 'a re-run does not see the comments of the thread',
    rule: 'never-twice',
    act: answers(isListing, () => []),
  },
  {
    name: 'the id of the job is not written to the outputs',
    rule: 'nothing-lost',
    act: output((name, value) => (name === 'job-id' ? undefined : [name, value])),
  },
  {
    name: 'a first attempt does not see the comments of the thread',
    rule: 'job-continued',
    act: answers(
      (request) => isListing(request) && isFirstAttempt(request),
      () => [],
    ),
  },
  {
    name: 'a word of the request gets lost',
    rule: 'text-as-shown',
    act: network(async (request) => {
      const prompt = asString(bodyOf(request).prompt).replace(/word-\d{9}/, '')
      const init = isPrompt(request) ? withBody(request, { prompt }) : request.init
      return await request.send(request.url, init)
    }),
  },
  {
    name: 'the text goes to the agent as it was written',
    rule: 'text-as-shown',
    act: answers(
      ({ init }) => String(new Headers(init.headers).get('accept')).includes('full'),
      (resource) => {
        const { body, ...rest } = asObject(resource)
        const html = asString(body).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
        return { ...rest, body, body_html: html }
      },
    ),
  },
  {
    name: 'the run does not say how it ended',
    rule: 'agreed-outcome',
    act: output((name, value) => (name === 'outcome' ? undefined : [name, value])),
  },
  {
    name: 'an output keeps its line breaks',
    rule: 'results-agree',
    act: output((name, value) => [name, name === 'model' ? `${value}\n` : value]),
  },
  {
    name: 'the run says that it has continued a job which it has created',
    rule: 'truthful-action',
    act: output((name, value) => [name, value.replace(/^created$/, 'continued')]),
  },
  {
    name: 'the status comment stays beside the result',
    rule: 'one-result',
    where: { inputs: { wait: 'false' } },
    act: network(async (request) => {
      const deletes = methodOf(request) === 'DELETE' && /\/comments\/\d+$/.test(request.url)
      return deletes ? new Response(null, { status: 204 }) : await request.pass()
    }),
  },
  {
    name: 'a result is written over',
    rule: 'result-stays',
    act: network(async (request) => {
      const response = await request.pass()
      if (!isListing(request)) return response
      const comments = asArray(parseJson(await response.clone().text())).map(asObject)
      const result = comments.find(({ body }) => {
        return recordIn(asString(body), scopeOf(request.world, ISSUE))?.kind === 'reported'
      })
      const body = `Once more: ${asString(result?.body)}`
      if (result !== undefined) await alsoSends(request, 'PATCH', asString(result.url), { body })
      return response
    }),
  },
  {
    name: 'GitHub says that everyone may do everything',
    rule: 'nothing-for-strangers',
    where: { ask: { author: 'carol' } },
    act: answers(
      ({ url }) => url.endsWith('/permission'),
      () => ({ permission: 'admin', role_name: 'admin' }),
    ),
  },
  {
    name: 'the signature of a record does not count',
    rule: 'only-own-jobs',
    where: { before: ['forge-record', 'forge-record'] },
    act: answers(isListing, (comments, request) => resigned(request, comments)),
  },
  {
    name: 'the key stands in the summary',
    rule: 'secrets-kept',
    act: core(({ setSummary }) => ({ setSummary: (markdown) => setSummary(`${markdown} test-key`) })),
  },
  {
    name: 'the key is not masked',
    rule: 'secrets-kept',
    act: core(() => ({ setSecret: () => {} })),
  },
  ...(['service', 'github'] as const).map(
    (host): Sabotage => ({
      name: `redirects of ${host === 'github' ? 'GitHub' : 'the service'} are followed to another origin`,
      rule: 'no-redirects',
      where: host === 'github' ? MISLED : UNRELIABLE,
      act: network(async (request) => {
        const response = await request.pass()
        const location = response.headers.get('location') ?? ''
        const follows = response.status >= 300 && isToService(request) === (host === 'service')
        if (!follows || !/^https:/.test(location)) return response
        return await request.send(location, { redirect: 'manual' })
      }),
    }),
  ),
  {
    name: 'a line of the log is a command',
    rule: 'commands-meant',
    act: core((_, life) => ({ info: (line) => life.log.line(line) })),
  },
  {
    name: 'the action writes an output of another name',
    rule: 'files-meant',
    act: output((name, value) => [name.replace('comment-url', 'comment'), value]),
  },
  {
    name: 'the deadline does not count',
    rule: 'nothing-after-deadline',
    where: { inputs: { 'timeout-minutes': '2' } },
    act: (deps, life) => ({ ...deps, monotonic: () => life.bornAt + (deps.monotonic() - life.bornAt) / 2 }),
  },
  {
    name: 'a pause never ends',
    rule: 'ends-in-time',
    act: (deps) => ({ ...deps, sleep: () => new Promise(() => {}) }),
  },
  {
    name: 'a cancelled run waits on',
    rule: 'cancelled-soon',
    where: { attempt: { blows: [{ place: 'sleep', nth: 2, effect: { kind: 'cancel' } }] } },
    act: (deps) => {
      const never = new AbortController().signal
      return { ...deps, cancellation: { requested: never, sendingEnds: never, everythingEnds: never } }
    },
  },
  {
    name: 'the pauses between two reads are a hundredth',
    rule: 'patient',
    act: (deps) => ({
      ...deps,
      monotonic: () => deps.monotonic() * 100,
      sleep: (ms, signal) => deps.sleep(ms / 100, signal),
    }),
  },
  {
    name: 'what may have been processed is tried again',
    rule: 'few-tries',
    where: UNRELIABLE,
    act: network(async (request) => {
      const response = await request.pass()
      if (!isPrompt(request) || response.status < 500) return response
      return await request.pass()
    }),
  },
  {
    name: 'comments mention somebody else',
    rule: 'nobody-else-mentioned',
    act: network(async (request) => {
      const body = bodyOf(request)
      const mentions = typeof body.body === 'string'
      const init = mentions
        ? withBody(request, { ...body, body: `@mallory ${asString(body.body)}` })
        : request.init
      return await request.send(request.url, init)
    }),
  },
  {
    name: 'the tracking issue is not found again',
    rule: 'one-tracking-issue',
    where: { ...REFRESH, before: ['merge-change'] },
    act: answers(
      ({ url }) => /\/issues\?/.test(url),
      () => [],
    ),
  },
  {
    name: "the agent's own pull requests look like those of a person",
    rule: 'each-merge-once',
    where: { ...REFRESH, before: ['merge-change', 'merge'] },
    act: answers(
      ({ url }) => /\/pulls\?/.test(url),
      (pulls) =>
        asArray(pulls).map((pull) => ({ ...asObject(pull), user: { login: 'carol', type: 'User' } })),
    ),
  },
  {
    name: 'a preview that fails makes the run fail',
    rule: 'finishing-decides-nothing',
    where: {
      inputs: { preview: 'true' },
      story: { deployment: { ending: 'failure', durationMs: 60_000 } },
    },
    act: core(({ setOutput, setFailed }) => ({
      setOutput(name, value) {
        setOutput(name, value)
        if (name !== 'preview-status' || value !== 'failure') return
        setOutput('outcome', 'failed')
        setFailed('The preview failed.')
      },
    })),
  },
  {
    name: 'a sweep asks the jobs to go on',
    rule: 'sweeps-start-nothing',
    where: { inputs: { wait: 'false' } },
    act: network(async (request) => {
      const isRead = request.life.role === 'sweep' && isToService(request) && methodOf(request) === 'GET'
      if (isRead) await alsoSends(request, 'POST', `${request.url}/message`, { prompt: 'go on' })
      return await request.pass()
    }),
  },
]

/** The forged records of bots, as if they had been signed with the key. */
function resigned({ world, url }: Request, comments: unknown): unknown {
  const thread = Number(/\/issues\/(\d+)\/comments/.exec(url)?.[1])
  const guessed = { ...scopeOf(world, thread), apiKey: 'a guess' }
  return asArray(comments).map((comment) => {
    const body = asString(asObject(comment).body)
    const forged = recordIn(body, guessed)
    if (forged === undefined || !isOfRequest(forged)) return comment
    return { ...asObject(comment), body: signedAnew(body, scopeOf(world, thread)) }
  })
}
