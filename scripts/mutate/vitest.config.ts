import { defineConfig } from 'vitest/config'

/**
 * Unit tests only: scenarios run the bundles, in which no mutant is; properties find by luck what an example should
 * hold; and huge texts take their time.
 */
export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts'],
    exclude: ['test/unit/trigger/sanitize-size.test.ts'],
    testTimeout: 30_000,
  },
})
