import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { bodyOf, isPrompt, isWordsOf, promptIn, requestOf } from '../history.ts'
import type { Life } from '../life.ts'
import { STRAY_PATH } from '../network.ts'
import { mentionsOnPage, wordsOfRequest, wordsOnPage } from '../texts.ts'
import { threadsOf, written } from '../world.ts'
import { complaints, type Rule } from './rule.ts'

/** Where the secret of each input may be sent. */
const HOMES = { 'api-key': 'service', 'memory-key': '', 'github-token': 'github' } as const

/** Those that the process was given, with the host that may get them. */
const secretsOf = ({ inputs }: Life): (readonly [secret: string, home: string])[] =>
  Object.entries(HOMES).flatMap(([name, home]) => (inputs[name] ? [[inputs[name], home] as const] : []))

/** Key and token are masked, and stand nowhere that people or other hosts can read. */
const secretsKept: Rule = {
  promise: 'H4',
  name: 'secrets-kept',
  afterLife({ world }, life) {
    const { outputs, state, summary } = life.footprint
    const comments = threadsOf(world).flatMap((thread) => written(world, thread).map(({ body }) => body))
    const places = {
      log: shownLog(life),
      outputs: [...outputs.values()].join('\n'),
      state: [...state.values()].join('\n'),
      ...{ summary, comments: comments.join('\n') },
    }
    const secrets = secretsOf(life)
    const sent = life.calls.flatMap((call) => {
      const whole = JSON.stringify([call.path, call.headers, call.body])
      return secrets
        .filter(([secret, home]) => whole.includes(secret) && call.host !== home)
        .map(([secret]) => `${life.name} sent ${secret} to ${call.host}: ${call.method} ${call.path}`)
    })
    return [
      ...Object.entries(places).flatMap(([place, text]) =>
        secrets
          .filter(([secret]) => text.includes(secret))
          .map(([secret]) => `${life.name}: ${secret} in ${place}`),
      ),
      ...sent,
      ...secrets
        .filter(([secret]) => life.calls.length > 0 && !life.log.masks.has(secret))
        .map(([secret]) => `${life.name} did not mask ${secret}`),
      ...life.calls
        .filter(({ host, path }) => host === 'elsewhere' || path.startsWith(STRAY_PATH))
        .map(({ host, path }) => `${life.name} followed a redirect to ${host}: ${path}`),
    ]
  },
}

/** The key never gets as far as the runner's masks; GitHub's own words may hold the token, which they hide. */
const shownLog = (life: Life): string => {
  const raw = life.log.raw.split('\n').filter((line) => !line.startsWith('::add-mask::'))
  return [life.log.text, ...raw.map((line) => line.replaceAll('test-token', ''))].join('\n')
}

/** Names of the outputs that an action declares. */
function outputsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  return new Set(Object.keys((parse(text) as { outputs: object }).outputs))
}

const ROOT = outputsOf('action.yml')
const OUTPUTS = { main: ROOT, post: ROOT, sweep: outputsOf('collect/action.yml') } as const
const LINKS = ['pr-link', 'comment-url']
const PLAIN_LINK = /^(https:\/\/[\x21-\x7e]+)?$/

/** The runner obeys what the action meant, word for word, and outputs are lines of their own. */
const nothingInjected: Rule = {
  promise: 'H4',
  name: 'nothing-injected',
  afterLife(_, { name, role, log, meant, footprint }) {
    const shown = ({ name, data }: { name: string; data: string }) => `${name}: ${data}`
    const [obeyed, wanted] = [log.commands.map(shown), meant.map(shown)]
    const odd = obeyed.findIndex((command, n) => command !== wanted[n])
    const outputs = [...footprint.outputs].filter(
      ([key, value]) =>
        !OUTPUTS[role].has(key) ||
        (role !== 'sweep' && /[\r\n]/.test(value)) ||
        (LINKS.includes(key) && !PLAIN_LINK.test(value)),
    )
    return complaints(
      [odd >= 0, `${name}: the runner obeyed ${JSON.stringify(obeyed[odd])}`],
      [wanted.length > obeyed.length, `${name}: the runner missed ${JSON.stringify(wanted.at(-1))}`],
      [outputs.length > 0, `${name}: outputs ${JSON.stringify(outputs)}`],
    )
  },
}

const FENCED = /^=== begin (\S+)$[\s\S]*?^=== end \1$/gm

/** The agent gets what GitHub's page shows: what others wrote in a fence, and the words of who asked outside. */
const textAsShown: Rule = {
  promise: 'H4',
  name: 'text-as-shown',
  afterMain({ world, request, life }) {
    const body = wordsOnPage(world.story.body)
    const asked = wordsOfRequest(request.event)
    return life.calls.filter(isPrompt).flatMap((call) => {
      const prompt = promptIn(call)
      if (!isWordsOf(request, prompt)) return []
      const outside = prompt.replace(FENCED, '')
      const say = (words: readonly string[], isWrong: (word: string) => boolean, what: string) =>
        words.filter(isWrong).map((word) => `${life.name} ${what}: ${word}`)
      return [
        ...say([...body.hidden, ...asked.hidden], (word) => prompt.includes(word), 'sent what GitHub hides'),
        ...say(body.shown, (word) => outside.includes(word), 'sent what others wrote as a request'),
        ...say(asked.shown, (word) => !outside.includes(word), 'lost what was asked'),
      ]
    })
  },
}

/** A comment of the action notifies those who asked in its thread, and is no command. */
const mentionsNoOthers: Rule = {
  promise: 'H4',
  name: 'mentions-no-others',
  afterLife({ requests }, life) {
    const own = requestOf({ requests }, life)
    return life.calls.flatMap((call) => {
      const body = bodyOf(call)
      if (body === '') return []
      const thread = Number(/\/issues\/(\d+)\/comments$/.exec(call.path)?.[1] ?? 0)
      const asking = requests.filter(
        (one) => one === own || own === undefined || thread === 0 || one.thread === thread,
      )
      const may = asking.flatMap(({ ask, event, inputs }) => [
        ask.sender,
        ...event.accounts,
        ...(inputs['issue-title'] === undefined ? [] : (inputs.reviewers ?? '').split(/[,\s]+/)),
      ])
      return [
        ...mentionsOnPage(body)
          .filter((login) => !may.includes(login))
          .map((login) => `${life.name} mentions ${login}: ${call.method} ${call.path}`),
        ...(/^\s*\/docs\b/i.test(body) ? [`${life.name} wrote a command: ${call.method} ${call.path}`] : []),
      ]
    })
  },
}

export const H4: readonly Rule[] = [secretsKept, nothingInjected, textAsShown, mentionsNoOthers]
