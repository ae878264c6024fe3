import { asArray, asObject, asString, parseJson } from '../src/json.ts'
import type { Deps, Fetch, FetchInit } from './action.ts'
import { MEMORY_KEY } from './invent.ts'
import type { Life } from './life.ts'
import { isOfRequest, recordIn, resigned as signedAnew, unsignedRecordIn } from './records.ts'
import { type Certain, FAILING, FLICKERING, MISLED, REFRESH, SLOW_CHECKS, UNRELIABLE } from './situations.ts'
import { ISSUE, scopeOf, type World } from './world.ts'

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

/** A job that was not found once is never found again. */
const missesForGood: Act = (deps, life, world) => {
  const missed = new Set<string>()
  return network(async (request) => {
    const { url } = request
    if (missed.has(url)) return Response.json({ error: 'Job not found' }, { status: 404 })
    const response = await request.pass()
    if (isToService(request) && response.status === 404) missed.add(url)
    return response
  })(deps, life, world)
}

const givesUp: Act = (deps, life, world) => {
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
}

/** What was read first of a pull request is read each time. */
const staleHead: Act = (deps, life, world) => {
  const known = new Map<string, Response>()
  return network(async (request) => {
    const response = await request.pass()
    if (!/\/pulls\/\d+$/.test(request.url)) return response
    const first = known.get(request.url) ?? response
    known.set(request.url, first.clone())
    return first
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

/** The records of comments as they are not. */
const rewrites = (concerns: (request: Request) => boolean, change: object): Act =>
  answers(concerns, (comments, { world, url }) =>
    asArray(comments).map((comment) => {
      const { body, issue_url: issue } = asObject(comment)
      const thread = Number(/\/issues\/(\d+)/.exec(asString(issue) || url)?.[1])
      const scope = scopeOf(world, thread)
      const record = recordIn(asString(body), scope)
      if (record === undefined) return comment
      return { ...asObject(comment), body: signedAnew(asString(body), scope, change) }
    }),
  )

/** Changes the text of comments on the way out. */
const writes = (change: (body: string, life: Life) => string): Act =>
  network(async (request) => {
    const { body, ...rest } = bodyOf(request)
    if (typeof body !== 'string' || !isToGitHub(request)) return await request.pass()
    return await request.send(request.url, withBody(request, { ...rest, body: change(body, request.life) }))
  })

/** The run is killed with its result, and what follows it is forgotten. */
const killedWithResult =
  (forgets: Readonly<Record<string, unknown>>): Act =>
  (deps, life, world) => {
    const isSweep = ({ url }: Request) => life.role === 'sweep' && /\/comments\?/.test(url)
    const forgetful = rewrites(isSweep, forgets)(deps, life, world)
    return network(async (request) => {
      const response = await request.pass()
      const isResult = unsignedRecordIn(asString(bodyOf(request).body))?.kind === 'reported'
      if (life.role !== 'sweep' && isResult) life.kill('with its result')
      return response
    })(forgetful, life, world)
  }

/** By the rule that must notice. */
const BROKEN: Readonly<Record<string, Readonly<Record<string, Act | Broken>>>> = {
  served: {
    'a request to GitHub that breaks is never answered (served)': given(FLICKERING, breaksForGood),
    'any 404 is the end of a job': given(
      UNRELIABLE,
      network(async (request) => {
        const response = await request.pass()
        if (!isToService(request) || response.status !== 404) return response
        return Response.json({ error: 'Job not found' }, { status: 404 })
      }),
    ),
    'one 404 ends a job': given(
      { ask: { turn: { durationMs: 600_000, notFound: { afterReads: 2 } } } },
      missesForGood,
    ),
    'a run says that GitHub is away where its token lacks a permission': output(
      'reason',
      (value) => value || 'github-unavailable',
    ),
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
    'a re-run does not see the comments of the thread': hides(isListing),
    'a re-run whose prompt was computed anew does not know its record': given(
      { ask: { event: 'schedule', isComputed: true }, inputs: { 'issue-number': '12' } },
      hides((request) => isListing(request) && /what came since/.test(request.life.inputs.prompt ?? '')),
    ),
  },
  'nothing-lost': {
    'the id of the job is not written to the outputs': output('job-id', () => undefined),
  },
  'no-job-for-own-pulls': {
    "no record tells that a pull request is the agent's own": given(
      { story: { followsPulls: true, agentLogin: 'alice', agentSign: 'app' } },
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
    'a first attempt does not see the comments of the thread': hides(
      (request) => isListing(request) && request.life.name.endsWith('.1 main'),
    ),
    'with a new key, the memory-key does not count': given(
      { story: { memoryKey: MEMORY_KEY }, before: ['new-key'] },
      core(({ getInput }, { inputs }) => ({
        getInput: (name) =>
          name === 'memory-key' && inputs['api-key']?.endsWith('-next-next') ? '' : getInput(name),
      })),
    ),
    "a message goes to a stranger's job": network(async ({ url, init, send, world }) =>
      send(url.replace(/\/job\/[^/]+\/message$/, `/job/${world.foreignJob}/message`), init),
    ),
  },
  'what-follows': {
    'what follows a result is lost with its run': given(
      { attempt: { post: 'lost' }, inputs: { labels: 'docs' } },
      killedWithResult({ openParts: [] }),
    ),
    'an old text follows the last one': given(
      SLOW_CHECKS,
      writes((body) =>
        body.replace(/^(.*\*\*.*)$/m, '$1 Its checks are running. [Follow the run](https://github.com)'),
      ),
    ),
    'the tracking issue does not show the last refresh': given(
      { ...REFRESH, before: ['merge-change'] },
      writes((body) => body.replace(/^Last refresh: .*$/m, 'Last refresh: none yet.')),
    ),
  },
  'checks-true': {
    'what fails is called a success': given(
      FAILING,
      output('checks', () => 'success'),
    ),
    'what has ended is called pending': given(
      FAILING,
      output('checks', () => 'pending'),
    ),
    'what can be read is called unavailable': given(
      FAILING,
      output('checks', () => 'unavailable'),
    ),
    'the head of a pull request never moves': given(
      { ...FAILING, story: { ...FAILING.story, fixTurns: [{ durationMs: 60_000 }] } },
      staleHead,
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
    'a result that GitHub does not take at once is given up': given(FLICKERING, givesUp),
  },
  'one-result': {
    'a sweep does not see what is still open': given(
      { inputs: { wait: 'false' } },
      hides(({ url, life }) => life.role === 'sweep' && /\/issues\/comments\?/.test(url)),
    ),
    'the status comment stays beside the result': given(
      { inputs: { wait: 'false' } },
      network(async (request) => {
        const deletes = methodOf(request) === 'DELETE' && /\/comments\/\d+$/.test(request.url)
        return deletes ? new Response(null, { status: 204 }) : await request.pass()
      }),
    ),
  },
  'result-stays': {
    'a result is written over': toResult((request, { url, body }) =>
      alsoSends(request, 'PATCH', asString(url), { body: `Once more: ${asString(body)}` }),
    ),
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
  'newest-head-tells-the-truth': {
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
    'the agent gets nothing of what a push brings': given(
      { ...STATUS, ask: { ...STATUS.ask, event: 'code-pushed' } },
      answers(
        ({ url }) => url.includes('/compare/'),
        (compared) => ({ ...asObject(compared), files: [{ filename: 'src/retry.ts', status: 'modified' }] }),
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
  'nothing-stays-pending': {
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
    'each warning says that the thread does not remember the request': given(
      { inputs: { reviewers: 'nobody-there' } },
      core(({ warning }) => ({
        warning: (text) => warning(`${text} The thread does not remember this request.`),
      })),
    ),
    'the log says that nothing was sent': core(({ info }) => ({
      info: (line) => info(`${line} Nothing was sent to the docs agent.`),
    })),
  },
  'text-as-shown': {
    'a request to GitHub that breaks is never answered (text-as-shown)': given(FLICKERING, breaksForGood),
    'a word of the request gets lost': loses(/word-\d{9}/),
    'the text goes to the agent as it was written': answers(
      ({ init }) => String(new Headers(init.headers).get('accept')).includes('full'),
      (resource) => {
        const html = asString(asObject(resource).body).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
        return { ...asObject(resource), body_html: html }
      },
    ),
  },
  'agreed-outcome': {
    'the run does not say how it ended': output('outcome', () => undefined),
    'a run whose job has failed is green': given(
      { ask: { turn: { ending: 'failed' } } },
      core(() => ({ setFailed: () => {} })),
    ),
    'a pull request has a reason': output('reason', (value) => value || 'bot'),
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
    'GitHub says that everyone may do everything': given(
      { ask: { author: 'carol' } },
      answers(
        ({ url }) => url.endsWith('/permission'),
        () => ({ permission: 'admin', role_name: 'admin' }),
      ),
    ),
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
    'the key is not masked': core(() => ({ setSecret: () => {} })),
    'the key goes to GitHub': network(async (request) => {
      const headers = { ...request.init.headers, 'x-key': 'test-key' }
      return isToGitHub(request)
        ? await request.send(request.url, { ...request.init, headers })
        : request.pass()
    }),
  },
  'no-redirects': {
    'redirects of the service are followed to another origin': given(
      UNRELIABLE,
      followsRedirects(isToService),
    ),
    'redirects of GitHub are followed to another origin': given(MISLED, followsRedirects(isToGitHub)),
  },
  'commands-meant': {
    'a line of the log is a command': core((_, life) => ({ info: (line) => life.log.line(line) })),
  },
  'files-meant': {
    'the action writes an output of another name': core(({ setOutput }) => ({
      setOutput: (name, value) => setOutput(name.replace('comment-url', 'comment'), value),
    })),
    'the summary is longer than GitHub takes': core(({ setSummary }) => ({
      setSummary: (markdown) => setSummary(`${markdown}${' '.repeat(1024 * 1024)}`),
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
    'what may have been processed is tried again': given(
      UNRELIABLE,
      network(async (request) => {
        const response = await request.pass()
        return isPrompt(request) && response.status >= 500 ? await request.pass() : response
      }),
    ),
    'a sweep reads each job twice': given(
      { inputs: { wait: 'false' } },
      network(async (request) => {
        const isRead = request.life.role === 'sweep' && isToService(request)
        if (isRead) await (await request.pass()).text()
        return await request.pass()
      }),
    ),
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
    "the agent's own pull requests look like those of a person": given(
      { ...REFRESH, before: ['merge-change', 'merge'] },
      answers(
        ({ url }) => /\/pulls\?/.test(url),
        (pulls) =>
          asArray(pulls).map((pull) => ({ ...asObject(pull), user: { login: 'carol', type: 'User' } })),
      ),
    ),
    'a push leaves out what it merged': given(
      { ask: { event: 'push', merges: ['person'] } },
      loses(/merged-\d+;/g),
    ),
    'each refresh leaves out what was merged': given(
      { ...REFRESH, before: ['merge-change'] },
      loses(/merged-\d+;/g),
    ),
    'a re-run forgets which merges it is for': given(
      {
        ...REFRESH,
        before: ['merge-change', 'merge-change'],
        attempt: { blows: [{ place: 'sleep', nth: 3, effect: { kind: 'cancel' } }] },
      },
      rewrites(isListing, { coversUntil: 0, merged: [] }),
    ),
    'a refresh does not see what the last one asked for': given(
      { ...REFRESH, before: ['merge-change'] },
      hides(isListing),
    ),
  },
  'push-has-thread': {
    'a push that merged a pull request has no thread': given(
      { ask: { event: 'push', merges: ['person'] } },
      hides(({ url }) => /\/(?:commits\/[\da-f]+\/pulls|pulls\?)/.test(url)),
    ),
  },
  'finishing-decides-nothing': {
    'a preview that fails makes the run fail': given(
      {
        inputs: { preview: 'true' },
        story: { deployment: { ending: 'failure', durationMs: 60_000 } },
      },
      core(({ setOutput, setFailed }) => ({
        setOutput(name, value) {
          setOutput(name, value)
          if (name !== 'preview-status' || value !== 'failure') return
          setOutput('outcome', 'failed')
          setFailed('The preview failed.')
        },
      })),
    ),
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
