import { asObject, asString, parseJson } from '../../src/json.ts'
import { type History, isFix, isPrompt, type Request } from '../history.ts'
import type { Call, Life } from '../life.ts'
import { type Words, wordsIn, wordsOnPage } from '../texts.ts'
import { isShort, metFaults, outagesOf, wasMisled } from '../truth.ts'
import type { Rule } from './rule.ts'

/** The agent gets the body as GitHub's page shows it, and the request as it is written, less its comments. */
export const textAsShown: Rule = {
  name: 'text-as-shown',
  clause: '4.2, 5.7',
  afterMain({ history, request, life }) {
    const body = wordsOnPage(history.world.story.body)
    const asked = requestWords(request)
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

/** The text of the event counts, less its comments; an input counts as it is. */
function requestWords({ event }: Request): Words {
  const words = wordsIn(event.text)
  if (event.byInput) return { shown: words, hidden: [] }
  const inComments = wordsIn((event.text.match(/<!--[\s\S]*?(-->|$)/g) ?? []).join(' '))
  // The page shows those in code.
  const hidden = wordsOnPage(event.text).hidden.filter((word) => inComments.includes(word))
  return { shown: words.filter((word) => !hidden.includes(word)), hidden }
}

/** The prompt is to hold the body of the thread: GitHub could be asked for it, and it is what the event has. */
const hasBody = ({ world }: History, request: Request, life: Life, { path }: Call): boolean =>
  path.endsWith('/job') &&
  request.inputs.context !== 'false' &&
  request.event.hasBody &&
  !wasMisled(life) &&
  outagesOf(world, life).length === 0 &&
  !(isShort(request) && metFaults(life)) &&
  !world.interferences.some((name) => name.endsWith('-trigger')) &&
  world.story.permissions.issues !== 'none' &&
  world.story.permissions.pull_requests !== 'none'
