import type { Stack } from './model.ts'
import type { NewPullRequest } from './new.ts'
import { type Closing, Threads } from './threads.ts'

/** Native stacks, by the descriptions in GitHub's schemas (`pull-request-stack` of @octokit/openapi-types 29.0.1). */
export class Stacks extends Threads {
  /** One pull request on the other. @param layers the lowest first @param base of the lowest @returns their numbers */
  addStack(layers: readonly NewPullRequest[], base = 'main'): readonly number[] {
    const repo = this.repo()
    const pulls: number[] = []
    for (const layer of layers) {
      const below = pulls.at(-1)
      const baseRef = below === undefined ? base : this.pull(below).head.ref
      pulls.push(this.addPullRequest({ ...layer, baseRef }).number)
    }
    const number = repo.stacks.size + 1
    repo.stacks.set(number, { id: this.nextId(), number, base, pulls })
    return pulls
  }

  stackOf(pull: number, repo?: string): Stack | undefined {
    return [...this.repo(repo).stacks.values()].find(({ pulls }) => pulls.includes(pull))
  }

  /**
   * "All pull requests in the stack up to and including the requested PR will be merged into the base branch", each with a
   * commit of its own. What becomes of their `base` is not documented: here it stays.
   */
  mergeStack(upTo: number, options: Pick<Closing, 'at'> = {}): void {
    for (const number of this.#openUpTo(upTo)) this.mergeLayer(number, options)
  }

  /** The lowest that is open, into the base of the stack: those above it can still be open when somebody looks. */
  mergeLayer(number: number, options: Pick<Closing, 'at'> = {}): void {
    const stack = this.stackOf(number)
    if (stack === undefined) throw new Error(`#${number} is in no stack`)
    super.closePullRequest(number, { ...options, merged: true, into: stack.base })
  }

  /** By itself, into its own base: then the lowest that is open goes to the base of the stack. */
  override closePullRequest(number: number, options: Closing = {}): void {
    super.closePullRequest(number, options)
    if (options.merged === true) this.#retargetLowest(number)
  }

  /** Only the lowest unmerged layer goes to the base of the stack; the others keep the branch below. */
  #retargetLowest(anyOfStack: number): void {
    const stack = this.stackOf(anyOfStack)
    const lowest = stack?.pulls.find((number) => this.pull(number).mergedAt === null)
    if (stack === undefined || lowest === undefined) return
    this.pull(lowest).base = { ref: stack.base, sha: this.branchHead(stack.base) }
  }

  /** "Removes the unmerged pull requests from a stack." It goes with the last one. @param pulls by default all of them */
  unstack(anyOfStack: number, pulls: readonly number[] = this.stackOf(anyOfStack)?.pulls ?? []): void {
    const stack = this.stackOf(anyOfStack)
    if (stack === undefined) return
    const leaves = (number: number) => pulls.includes(number) && this.pull(number).mergedAt === null
    stack.pulls = stack.pulls.filter((number) => !leaves(number))
    if (stack.pulls.length === 0) this.repo().stacks.delete(stack.number)
  }

  #openUpTo(upTo: number): readonly number[] {
    const pulls = this.stackOf(upTo)?.pulls ?? []
    return pulls.slice(0, pulls.indexOf(upTo) + 1).filter((number) => this.pull(number).mergedAt === null)
  }
}
