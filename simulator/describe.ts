import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type Exchange, exchanges } from '../emulator/core.ts'
import { type EmulatedRequest, type EmulatedResponse, isRecord } from '../emulator/http.ts'
import { tellStory } from './run.ts'

const USAGE = `npm run describe -- [--packages FOLDER] [--runs N] [--seed N]

Plays stories, and checks each request to GitHub and each answer of the emulator against GitHub's own description of
its API. It needs packages that are too large to come with the others; install them for this run alone:

  npm install --prefix FOLDER @octokit/openapi openapi-backend @octokit/graphql-schema

  --packages  the folder whose node_modules has them (default: this one); exit code 75 if it does not
  --runs      stories to play (default 40)
  --seed      the first one (default 1)
`

/** Exit code of a check that cannot be had here, as sysexits.h has it. */
const LEFT_OUT = 75

/** What GitHub's schema has against a query, by its text. */
const validated = new Map<string, readonly string[]>()

/** As much of openapi-backend as is used here: it is not there when this is compiled. */
interface Description {
  init(): Promise<unknown>
  matchOperation(request: object): Operation | undefined
  validateRequest(request: object, operation: Operation): Verdict
  validateResponse(body: unknown, operation: Operation, status: number): Verdict
}

interface Operation {
  readonly method: string
  readonly path: string
  readonly responses?: Readonly<Record<string, unknown>>
}

interface Verdict {
  readonly errors?:
    | readonly { readonly instancePath: string; readonly message?: string; readonly params?: object }[]
    | null
}

const { values } = parseArgs({
  options: {
    packages: { type: 'string', default: '.' },
    runs: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(USAGE)
else process.exitCode = await describe()

async function describe(): Promise<number> {
  const loaded = await load(resolve(values.packages))
  if (loaded === undefined) {
    process.stderr.write(`Left out: the packages below are not installed.\n\n${USAGE}`)
    return LEFT_OUT
  }
  const { description, validate } = loaded
  /** What is wrong, and how often. */
  const complaints = new Map<string, number>()
  const checked = new Map<string, number>()
  const count = (in_: Map<string, number>, key: string) => in_.set(key, (in_.get(key) ?? 0) + 1)
  exchanges.subscribe((message) => {
    const { request, response } = message as Exchange
    if (request.host !== 'github' || request.path.startsWith('/outside')) return
    const isQuery = request.path === '/graphql'
    const { name, found } = isQuery ? checkQuery(validate, request) : check(description, request, response)
    count(checked, name)
    for (const complaint of found) count(complaints, `${name}: ${complaint}`)
  })
  const first = Number(values.seed)
  for (let seed = first; seed < first + Number(values.runs); seed += 1) await tellStory(seed, 0)

  for (const [what, often] of [...complaints].toSorted((a, b) => b[1] - a[1]))
    console.log(`${often} × ${what}`)
  const all = [...checked.values()].reduce((sum, often) => sum + often, 0)
  console.log(`${all} exchanges of ${checked.size} operations; ${complaints.size} complaints`)
  return complaints.size === 0 ? 0 : 1
}

/** @returns what GitHub's schema has against a query */
type Validate = (query: string) => readonly { readonly message: string }[]

async function load(
  folder: string,
): Promise<{ readonly description: Description; readonly validate: Validate } | undefined> {
  const require = createRequire(`${folder}/`)
  try {
    const file = require.resolve('@octokit/openapi/generated/api.github.com.deref.json')
    const definition: unknown = JSON.parse(readFileSync(file, 'utf8'), withNull)
    const { OpenAPIBackend } = require('openapi-backend') as {
      OpenAPIBackend: new (options: object) => Description
    }
    const ajvOpts = { strict: false, validateFormats: false, allErrors: true }
    const options = { definition, quick: true, ajvOpts, coerceTypes: true }
    const description = new OpenAPIBackend(options)
    await description.init()
    const schema = resolve(folder, 'node_modules/@octokit/graphql-schema/index.js')
    const { validate } = (await import(pathToFileURL(schema).href)) as { readonly validate: Validate }
    return { description, validate }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code.endsWith('MODULE_NOT_FOUND')) return undefined
    throw error
  }
}

/** JSON Schema has no `nullable`: ajv takes it beside `type`, but neither beside `anyOf` nor for an `enum`. */
function withNull(_: string, value: unknown): unknown {
  if (!isRecord(value) || value.nullable !== true) return value
  const { nullable: _nullable, ...rest } = value
  if (!('type' in value)) return { anyOf: [rest, { type: 'null' }] }
  return Array.isArray(value.enum) ? { ...value, enum: [...new Set([...value.enum, null])] } : value
}

function check(description: Description, sent: EmulatedRequest, { status, headers, body }: EmulatedResponse) {
  const query = Object.fromEntries(sent.query)
  const request = { method: sent.method, path: sent.path, query, headers: sent.headers, body: sent.body }
  const operation = description.matchOperation(request)
  if (operation === undefined)
    return { name: `${sent.method} ${sent.path}`, found: status === 404 ? [] : ['no such operation'] }
  const isJson = headers['content-type']?.includes('json') === true
  const found = [...errorsOf('request', description.validateRequest(request, operation))]
  if (operation.responses?.[status] === undefined) {
    // The description lists neither conditional requests nor redirects for each operation that has them.
    const isUsual = status === 304 ? 'if-none-match' in sent.headers : 'location' in headers
    if (status < 400 && !isUsual) found.push(`answer: status ${status} is not described`)
  } else if (isJson)
    found.push(...errorsOf('answer', description.validateResponse(JSON.parse(body), operation, status)))
  return { name: `${operation.method.toUpperCase()} ${operation.path}`, found }
}

/** Each query once, whatever the ids in it: the validator reads GitHub's whole schema for each. */
function checkQuery(validate: Validate, { body }: EmulatedRequest) {
  const query = (isRecord(body) ? String(body.query) : '').replaceAll(/"N_\d+"/g, '"N_1"')
  const found = validated.get(query) ?? validate(query).map(({ message }) => message)
  validated.set(query, found)
  return { name: `POST /graphql ${query}`, found }
}

function errorsOf(of: string, { errors }: Verdict): string[] {
  return (errors ?? []).map(({ instancePath, message, params }) => {
    const where = instancePath.replace(/\/\d+(?=\/|$)/g, '/*')
    return `${of}${where} ${message} ${JSON.stringify(params)}`
  })
}
