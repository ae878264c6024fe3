import type { Life } from '../life.ts'
import { STRAY_PATH } from '../network.ts'
import { threadsOf, written } from '../world.ts'
import type { Rule } from './rule.ts'

const SECRETS = ['test-key', 'test-token'] as const

/** Where each of them may be sent. */
const HOME = { 'test-key': 'service', 'test-token': 'github' } as const

/** Key and token are masked before anything else is said, and stand nowhere that people or other hosts can read. */
export const secretsKept: Rule = {
  name: 'secrets-kept',
  clause: '1.1, 6.3',
  afterLife({ world, requests }, life) {
    const given = requests.find(({ runs }) => runs.some(({ main, post }) => main === life || post === life))
    const threads = threadsOf(world)
    const places: readonly (readonly [string, string])[] = [
      ['log', shownLog(life)],
      ...[...life.footprint.outputs].map(([name, value]) => [`output ${name}`, value] as const),
      ['state', [...life.footprint.state.values()].join('\n')],
      ['summary', life.footprint.summary],
      ...threads.flatMap((thread) =>
        written(world, thread).map(({ body }) => [`comment in #${thread}`, body] as const),
      ),
    ]
    const masked = SECRETS.filter((secret) => given?.inputs['api-key'] !== '' || secret !== 'test-key')
    return [
      ...places.flatMap(([place, text]) =>
        SECRETS.filter((secret) => text.includes(secret)).map(
          (secret) => `${life.name}: ${secret} in ${place}`,
        ),
      ),
      ...sentElsewhere(life),
      ...masked
        .filter((secret) => life.calls.length > 0 && !life.log.masks.has(secret))
        .map((secret) => `${life.name} did not mask ${secret}`),
    ]
  },
}

/** The key never gets as far as the runner's masks; GitHub's own words may hold the token, which they hide. */
const shownLog = (life: Life): string => {
  const raw = life.log.raw.split('\n').filter((line) => !line.startsWith('::add-mask::'))
  return [life.log.text, ...raw.map((line) => line.replaceAll('test-token', ''))].join('\n')
}

function sentElsewhere({ name, calls }: Life): string[] {
  return calls.flatMap((call) => {
    const whole = JSON.stringify([call.path, call.headers, call.body])
    return SECRETS.filter((secret) => whole.includes(secret) && call.host !== HOME[secret]).map(
      (secret) => `${name} sent ${secret} to ${call.host}: ${call.method} ${call.path}`,
    )
  })
}

/** Redirects of the service are never followed, and those of GitHub never to another origin. */
export const noRedirects: Rule = {
  name: 'no-redirects',
  clause: '4.7',
  afterLife: (_, { name, calls }) =>
    calls
      .filter(({ host, path }) => host === 'elsewhere' || path.startsWith(STRAY_PATH))
      .map(({ method, host, path }) => `${name} followed a redirect to ${host}: ${method} ${path}`),
}
