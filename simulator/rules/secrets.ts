import type { Life } from '../life.ts'
import { STRAY_PATH } from '../network.ts'
import { threadsOf, written } from '../world.ts'
import type { Rule } from './rule.ts'

/** Where the secret of each input may be sent. */
const HOMES = { 'api-key': 'service', 'memory-key': '', 'github-token': 'github' } as const

/** Those that the process was given, with the host that may get them. */
const secretsOf = ({ inputs }: Life): (readonly [secret: string, home: string])[] =>
  Object.entries(HOMES).flatMap(([name, home]) => (inputs[name] ? [[inputs[name], home] as const] : []))

/** Key and token are masked before anything else is said, and stand nowhere that people or other hosts can read. */
export const secretsKept: Rule = {
  name: 'secrets-kept',
  clause: '1.1, 6.3',
  afterLife({ world }, life) {
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
    const secrets = secretsOf(life).map(([secret]) => secret)
    return [
      ...places.flatMap(([place, text]) =>
        secrets
          .filter((secret) => text.includes(secret))
          .map((secret) => `${life.name}: ${secret} in ${place}`),
      ),
      ...sentElsewhere(life),
      ...secrets
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

function sentElsewhere(life: Life): string[] {
  return life.calls.flatMap((call) => {
    const whole = JSON.stringify([call.path, call.headers, call.body])
    return secretsOf(life)
      .filter(([secret, home]) => whole.includes(secret) && call.host !== home)
      .map(([secret]) => `${life.name} sent ${secret} to ${call.host}: ${call.method} ${call.path}`)
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
