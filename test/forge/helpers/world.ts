import { inject, onTestFinished } from 'vitest'
import { type Emulator, startEmulator } from '../../../emulator/emulator.ts'
import { ForgeApi } from '../../../scripts/forge/api.ts'
import { PEOPLE, type Role } from '../../../scripts/forge/people.ts'
import { forgePullRequests } from '../../../scripts/forge/pull-requests.ts'
import { type Comment, Person } from './person.ts'
import { type Run, Runs, type Started } from './runs.ts'
import { textOf, type Workflow } from './workflows.ts'

export interface World {
  /** `owner/name` */
  readonly repository: string
  readonly emulator: Emulator
  readonly runs: Runs
  readonly people: Readonly<Record<Role, Person>>
  /** Someone does something that starts a workflow; resolves when the run has ended. */
  run<T>(act: () => Promise<T>, event?: string): Promise<Run & Started<T>>
  /** Turns of jobs last until `jobsEnd` from now on. */
  jobsTakeLong(): void
  jobsEnd(): void
  /** The action's comments in a thread. */
  answersIn(thread: number): Promise<readonly Comment[]>
  /** All prompts that each job got. */
  prompts(): string[][]
  /** Requests to the service so far. */
  serviceRequests(): number
}

/** The account that a job's token writes as. */
const JOB_LOGIN = 'gitea-actions'

interface Options {
  readonly private?: boolean
  /** A commit status that each commit of the agent gets at once, as `pending`. */
  readonly pendingStatus?: string
}

const HOUR_MS = 3_600_000
let repositories = 0

/**
 * A repository of its own for a story, with the workflows given, and a service whose agent works on that repository.
 * Jobs end when they are first read.
 */
export async function openWorld(workflows: readonly Workflow[], options: Options = {}): Promise<World> {
  const forge = inject('forge')
  const api = (role: Role) => new ForgeApi(forge, `token ${forge.tokens[role]}`)
  const owner = api('owner')
  repositories += 1
  const name = `story-${process.pid}-${repositories}`
  const repository = `${PEOPLE.owner}/${name}`
  const path = `/repos/${repository}`

  let ahead = 0
  const emulator = await startEmulator({
    now: () => Date.now() + ahead,
    serverUrl: forge.url,
    repository,
    docsRepository: repository,
    pullRequests: forgePullRequests({
      ...forge,
      token: forge.tokens.agent,
      repository,
      ...(options.pendingStatus !== undefined && { pendingStatus: options.pendingStatus }),
    }),
  })
  onTestFinished(() => emulator.close())
  emulator.service.everyTurn = { reads: 0 }

  await owner.post('/user/repos', {
    name,
    private: options.private ?? false,
    auto_init: true,
    default_branch: 'main',
  })
  const members = [PEOPLE.writer, PEOPLE.dotted, PEOPLE.agent]
  for (const login of members) await owner.put(`${path}/collaborators/${login}`, { permission: 'write' })
  await owner.put(`${path}/actions/secrets/DOCS_AGENT_API_KEY`, { data: emulator.settings.apiKey })
  await owner.post(`${path}/actions/variables/DOCS_AGENT_PROJECT_ID`, { value: emulator.settings.projectId })
  const files = workflows.map((workflow, index) => ({
    operation: 'create',
    path: `.github/workflows/docs-${index}.yml`,
    content: Buffer.from(textOf(workflow, emulator.serviceUrl)).toString('base64'),
  }))
  await owner.post(`${path}/contents`, { branch: 'main', message: 'Add workflows [skip ci]', files })

  const people = Object.fromEntries(
    Object.keys(PEOPLE).map((role) => [role, new Person(api(role as Role), repository)]),
  ) as Record<Role, Person>
  const runs = new Runs(owner, repository)
  return {
    repository,
    emulator,
    runs,
    people,
    run: async (act, event) => {
      const started = await runs.startedBy(act, event)
      return { ...started, ...(await runs.ended(started.id)) }
    },
    jobsTakeLong: () => {
      emulator.service.everyTurn = { durationMs: HOUR_MS }
    },
    jobsEnd: () => {
      emulator.service.everyTurn = { reads: 0 }
      ahead += HOUR_MS
    },
    answersIn: async (thread) =>
      (await people.owner.commentsOf(thread)).filter(({ user }) => user.login === JOB_LOGIN),
    prompts: () => emulator.service.jobs().map(({ prompts }) => [...prompts]),
    serviceRequests: () => emulator.requests.filter(({ host }) => host === 'service').length,
  }
}
