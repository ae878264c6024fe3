import { simulatedClock } from '../../emulator/clock.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import { cancellation } from '../../src/deps.ts'
import { type Forge, gitHubForge } from '../../src/github/forge.ts'
import { connect } from '../../src/github/octokit.ts'

/** The forge in front of an emulated GitHub, on a clock that takes no time. */
export async function forgeOf(emulator: Emulator, clock = simulatedClock(0)): Promise<Forge> {
  const deps = {
    fetch: emulator.fetch,
    cancellation: cancellation(clock.sleep),
    now: Date.now,
    monotonic: clock.passed,
    sleep: clock.sleep,
    random: () => 0.5,
  }
  const context = { repository: { owner: 'octo', repo: 'app' }, repositoryId: 1 }
  const endpoint = { apiUrl: emulator.githubUrl, ...context }
  return gitHubForge(await connect(deps, endpoint, 'test-token'), context)
}
