/** In ms. What a test waits for ends its wait, on a busy machine, too; after this time the test hangs. */
export const HANGS_AFTER_MS = 3_600_000
