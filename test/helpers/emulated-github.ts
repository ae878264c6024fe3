import { simulatedClock } from '../../emulator/clock.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import { cancellation } from '../../src/base/deps.ts'
import { type GitHub, repositoryClient } from '../../src/github/github.ts'
import { connect } from '../../src/github/octokit.ts'

/** GitHub in front of an emulated GitHub, on a clock that takes no time. */
export async function githubOf(emulator: Emulator, clock = simulatedClock(0)): Promise<GitHub> {
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
  return repositoryClient(await connect(deps, endpoint, 'test-token'), context)
}
