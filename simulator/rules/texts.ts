import { asObject, asString, isObject, parseJson } from '../../src/json.ts'
import { isPrompt, type Request, requestOf } from '../history.ts'
import type { Life } from '../life.ts'
import type { Call } from '../network.ts'
import { type Words, wordsIn, wordsOnPage } from '../texts.ts'
import type { Rule } from './rule.ts'

/** The agent gets what GitHub's page shows: no visible word is lost, and no hidden one goes along. */
export const textAsShown: Rule = {
  name: 'text-as-shown',
  clause: '4.2',
  afterLife(history, life) {
    const request = requestOf(history, life)
    if (request === undefined || life.role !== 'main') return []
    const { body } = history.world.story
    return life.calls.filter(isPrompt).flatMap((call) => {
      const prompt = asString(asObject(parseJson(call.body)).prompt)
      const asked = requestWords(request, life)
      return [
        ...[...wordsOnPage(body).hidden, ...asked.hidden]
          .filter((word) => prompt.includes(word))
          .map((word) => `${life.name} sent ${word}, which GitHub hides`),
        ...asked.shown
          .filter((word) => !prompt.includes(word))
          .map((word) => `${life.name} lost ${word} of the request`),
        ...(hasBody(request, call) ? bodyComplaints(request, life, prompt, body) : []),
      ]
    })
  },
}

/** Where GitHub cannot be asked, the text of the event counts, less its comments; an input counts as it is. */
function requestWords({ event }: Request, life: Life): Words {
  if (event.byInput) return { shown: wordsIn(event.text), hidden: [] }
  const page = wordsOnPage(event.text)
  const read = bodyRead(life, event.textPath)
  if (read !== undefined && (read === event.text || life.calls.some(isRendered))) return page
  const inComments = new Set(wordsIn((event.text.match(/<!--[\s\S]*?(-->|$)/g) ?? []).join(' ')))
  return {
    shown: page.shown.filter((word) => !inComments.has(word)),
    hidden: page.hidden.filter((word) => inComments.has(word)),
  }
}

/** An answer that is cut looks like a whole one: HTML has no end. */
const isRendered = ({ path, status, text, fault }: Call): boolean =>
  path === '/markdown' &&
  status === 200 &&
  text !== undefined &&
  (fault === undefined || fault.startsWith('delay'))

const hasBody = ({ event, inputs }: Request, { path }: Call): boolean =>
  path.endsWith('/job') && inputs.context !== 'false' && event.thread !== undefined

function bodyComplaints({ event }: Request, life: Life, prompt: string, body: string): string[] {
  const { shown } = wordsOnPage(body)
  const path = event.bodyPath
  if (shown.length === 0 || path === undefined) return []
  if (bodyRead(life, path) === body)
    return shown
      .filter((word) => !prompt.includes(word))
      .map((word) => `${life.name} lost ${word} of the body`)
  const taken = shown.filter((word) => prompt.includes(word))
  return [
    ...taken.map((word) => `${life.name} sent ${word}, and has not read it from GitHub`),
    ...(/^\[This text .* left out\.\]$/m.test(prompt)
      ? []
      : [`${life.name} left the body out without a note`]),
  ]
}

/** The text as GitHub has sent it together with its rendering; undefined where it has not. */
function bodyRead({ calls }: Life, path: string | undefined): string | undefined {
  const reads = calls.filter(
    (call) => call.method === 'GET' && call.path === path && call.headers.accept?.includes('full'),
  )
  const { status, text = '' } = reads.at(-1) ?? {}
  const answer = parseJson(text)
  if (status !== 200 || !isObject(answer) || typeof answer.body_html !== 'string') return undefined
  return asString(answer.body)
}
