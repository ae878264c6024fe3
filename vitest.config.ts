import { defineConfig } from 'vitest/config'

// KILLS=1 runs the runs that are killed at each request in turn: hundreds of processes, minutes instead of seconds.
const kills = process.env.KILLS === '1'

export default defineConfig({
  test: {
    include: [kills ? 'test/kills/**/*.test.ts' : 'test/**/*.test.ts'],
    exclude: kills ? [] : ['test/kills/**'],
    // Scenarios start processes of their own, and wait out real seconds where signals are concerned.
    testTimeout: 30_000,
    // One more than the cores of a small runner: processes that wait leave room for others.
    maxWorkers: 3,
    // Proxies and tokens of whoever runs the tests must not reach what is tested.
    env: { HTTPS_PROXY: '', HTTP_PROXY: '', https_proxy: '', http_proxy: '', NO_PROXY: '', no_proxy: '' },
    // A shared machine can hold up a process for longer than a test waits for it: CI looks twice before it fails.
    retry: process.env.CI === 'true' ? 1 : 0,
    restoreMocks: true,
    unstubEnvs: true,
  },
})
