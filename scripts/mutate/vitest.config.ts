import { defineConfig } from 'vitest/config'

/** Unit tests only: scenarios run the bundles, which hold no mutant, and properties find by luck what an example should. */
export default defineConfig({
  test: {
    include: ['test/{request,http,agent,trigger,github,messages,run}/**/*.test.ts'],
    exclude: ['test/**/*.property.test.ts'],
    testTimeout: 30_000,
  },
})
