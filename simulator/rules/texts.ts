import { asObject, asString, parseJson } from '../../src/json.ts'
import { type History, isFix, isPrompt, type Request } from '../history.ts'
import type { Call, Life } from '../life.ts'
import { type Words, wordsIn, wordsOnPage } from '../texts.ts'
import { isShort, metFaults, outagesOf, wasMisled } from '../truth.ts'
import type { Rule } from './rule.ts'

/** The agent gets what GitHub's page shows: no visible word is lost, and no hidden one goes along. */
export const textAsShown: Rule = {
  name: 'text-as-shown',
  clause: '4.2, 5.7',
  afterMain({ history, request, life }) {
    const body = wordsOnPage(history.world.story.body)
    const asked = requestWords(history, request, life)
    return life.calls
      .filter((call) => isPrompt(call) && !isFix(request, call))
      .flatMap((call) => {
        const prompt = asString(asObject(parseJson(call.body)).prompt)
        const wanted = hasBody(history, request, life, call) ? [...asked.shown, ...body.shown] : asked.shown
        return [
          ...[...body.hidden, ...asked.hidden]
            .filter((word) => prompt.includes(word))
            .map((word) => `${life.name} sent ${word}, which GitHub hides`),
          ...wanted
            .filter((word) => !prompt.includes(word))
            .map((word) => `${life.name} lost ${word}, which GitHub shows`),
        ]
      })
  },
}

/** GitHub could be asked for what stands there, and that is what the event has. */
const isReadable = ({ world }: History, request: Request, life: Life): boolean =>
  !wasMisled(life) &&
  outagesOf(world, life).length === 0 &&
  !(isShort(request) && metFaults(life)) &&
  !world.interferences.some((name) => name.endsWith('-trigger')) &&
  world.story.permissions.issues !== 'none' &&
  world.story.permissions.pull_requests !== 'none'

/** Where GitHub cannot be asked, the text of the event counts, less its comments; an input counts as it is. */
function requestWords(history: History, request: Request, life: Life): Words {
  const { event } = request
  if (event.byInput) return { shown: wordsIn(event.text), hidden: [] }
  const page = wordsOnPage(event.text)
  if (isReadable(history, request, life)) return page
  const inComments = new Set(wordsIn((event.text.match(/<!--[\s\S]*?(-->|$)/g) ?? []).join(' ')))
  return {
    shown: page.shown.filter((word) => !inComments.has(word)),
    hidden: page.hidden.filter((word) => inComments.has(word)),
  }
}

/** The prompt is to hold the body of the thread, and GitHub could be asked for it. */
const hasBody = (history: History, request: Request, life: Life, { path }: Call): boolean =>
  path.endsWith('/job') &&
  request.inputs.context !== 'false' &&
  request.event.hasBody &&
  isReadable(history, request, life)
