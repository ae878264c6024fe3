import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Scenarios start processes of their own, and wait out real seconds where signals are concerned.
    testTimeout: 20_000,
    // One more than the cores of a small runner: processes that wait leave room for others.
    maxWorkers: 3,
    // Proxies and tokens of whoever runs the tests must not reach what is tested.
    env: { HTTPS_PROXY: '', HTTP_PROXY: '', https_proxy: '', http_proxy: '', NO_PROXY: '', no_proxy: '' },
    restoreMocks: true,
    unstubEnvs: true,
  },
})
