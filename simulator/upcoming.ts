/** What the contract promises and the action does not do yet. One line each: `true` as soon as it does. */
export const BUILT = {
  /** 4.12: failing checks and previews go back to the agent. */
  fixAttempts: true,
  /** 3.5: a pull request that opens while a job works may be that job's, whatever account opened it. */
  ownPullsWhileWorking: false,
} as const satisfies Readonly<Record<string, boolean>>
