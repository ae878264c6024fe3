import type { ChangedFile } from '../../emulator/github/model.ts'
import type { RequestEntry } from '../../emulator/requests.ts'
import { runAction, startAction } from '../../emulator/runner.ts'
import { emulateInProcess } from '../../test/helpers/step-in-process.ts'
import { ACTIONS, access } from '../demo/actions.ts'
import type { Report } from './table.ts'

const CODE = 30
/** What the agent takes for a turn. */
const TURN_MS = 8 * 60_000
/** Credits of a job or a message, as docs/costs.md counts them. */
const CREDITS = 180
const MINUTE_MS = 60_000

const file = (filename: string, line: string, at = 1): ChangedFile => ({
  filename,
  patch: `@@ -${at} +${at} @@\n-old\n+${line}`,
})

/**
 * The life of one pull request that a workflow keeps in step: a label, three pushes, of which the second cancels the run of
 * the first, a rebase, the merge, and a sweep.
 */
export async function life(): Promise<Report> {
  const { emulator, launch } = emulateInProcess({ docsRepository: 'octo/app' })
  const { github, service, settings, shown, faults } = emulator
  let minutes = 0
  let runs = 0
  github.setPermission('alice', 'write')
  service.everyTurn = { durationMs: TURN_MS }
  const files = [file('src/retry.ts', 'first')]
  github.addPullRequest({ number: CODE, title: 'Add retries', user: 'alice', files })
  emulator.clearRequests()

  const given = (action: string) => {
    runs += 1
    const payload = { action, number: CODE, pull_request: shown.pull(CODE), sender: shown.user('alice') }
    const event = { name: 'pull_request', payload: { ...payload, repository: shown.repository() } }
    const inputs = { ...access(emulator), prompt: 'Document this.', 'commit-status': 'docs' }
    return { action: ACTIONS.root, emulator, launch, event, inputs, runId: runs }
  }
  /** GitHub bills each job by whole minutes. */
  const billed = async <T>(run: () => Promise<T>): Promise<void> => {
    const began = settings.now()
    await run()
    minutes += Math.max(1, Math.ceil((settings.now() - began) / MINUTE_MS))
  }
  const happens = (action: string) => billed(() => runAction(given(action)))
  const push = (name: string): void => {
    const more = file(`src/${name}.ts`, name)
    files.push(more)
    github.push(CODE, { files: [...files], commit: [more] })
  }

  await happens('labeled')
  push('second')
  const running = startAction(given('synchronize'))
  const call = () => {
    push('third')
    running.kill('SIGINT')
  }
  const match = { host: 'service', method: 'GET', path: /\/job\/[^/]+$/ } as const
  faults.add({ match, skip: 3, fault: { kind: 'call', call } })
  await billed(() => running.done)
  await happens('synchronize')
  github.push(CODE, {
    isForced: true,
    files: files.map(({ filename }, at) => file(filename, names(files, at), 9)),
  })
  await happens('synchronize')
  push('fourth')
  await happens('synchronize')
  github.closePullRequest(CODE, { merged: true })
  await happens('closed')
  const sweep = { action: ACTIONS.collect, emulator, launch, runId: 99, inputs: access(emulator) }
  await billed(() => runAction({ ...sweep, event: { name: 'schedule', payload: {} } }))

  const created = emulator.requests.filter(isNewComment)
  const asked = emulator.requests.filter(({ host, method }) => host === 'service' && method === 'POST').length
  const stands = github.comments(CODE).map(({ body }) => body.replace(/\s*<!--[\s\S]*$/, ''))
  return {
    title: 'Life',
    note: `One pull request with three pushes, a cancelled run, a rebase and the merge; each turn takes ${TURN_MS / MINUTE_MS} minutes.`,
    rows: {
      'one pull request': {
        comments: stands.length,
        whole: stands.filter((body) => body.includes('\n')).length,
        mentions: created.filter(({ body }) => JSON.stringify(body).includes('@alice')).length,
        'to GitHub': emulator.requests.filter(({ host }) => host === 'github').length,
        'to the service': emulator.requests.filter(({ host }) => host === 'service').length,
        credits: asked * CREDITS,
        minutes,
      },
    },
    goals: [],
  }
}

const names = (files: readonly ChangedFile[], at: number): string =>
  /\+(\w+)$/.exec(files[at]?.patch ?? '')?.[1] ?? ''

const isNewComment = ({ host, method, path }: RequestEntry): boolean =>
  host === 'github' && method === 'POST' && /\/issues\/\d+\/comments$/.test(path)
