import { readFileSync } from 'node:fs'
import { Agent, fetch } from 'undici'
import { inject } from 'vitest'
import { PEOPLE } from '../../../scripts/forge/people.ts'

/** Cancels a run as the owner does on the web: the API of Gitea has no endpoint for it. */
export async function cancel(repository: string, run: number): Promise<void> {
  const { url, certificate, password } = inject('forge')
  const dispatcher = new Agent({ connect: { ca: readFileSync(certificate) } })
  const post = (path: string, cookie: string, fields: Readonly<Record<string, string>>) =>
    fetch(url + path, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
      redirect: 'manual',
      dispatcher,
    })
  const login = await post('/user/login', '', { user_name: PEOPLE.owner, password })
  // The login renews the session: the last cookie of a name counts.
  const cookies = new Map(
    login.headers.getSetCookie().map((line) => [line.split('=')[0], line.split(';')[0]]),
  )
  const cookie = [...cookies.values()].join('; ')
  const { status } = await post(`/${repository}/actions/runs/${run}/cancel`, cookie, {})
  if (status !== 200) throw new Error(`Gitea did not cancel the run: ${status}`)
}
