import { defineConfig } from 'vitest/config'

/** In ms. What a test waits for ends its wait, on a busy machine, too; after this time the test hangs. */
const HANGS_AFTER_MS = 3_600_000

// Parts that take minutes, or programs that npm does not bring, run on their own: `kills` (runs that are killed at each
// request in turn), `broken` (runs in which each request to GitHub breaks in turn), `e2e` (the examples in nektos/act),
// `page` (pages in Chromium), `tools` (programs that read the files of `visitors`, and the provider's packages). `bundle` are the scenarios with that tag, as processes.
const PARTS = ['kills', 'broken', 'e2e', 'page', 'tools']
const part = PARTS.find((name) => name === process.env.PART)

export default defineConfig({
  test: {
    include: [`test/${part ?? '**'}/**/*.test.ts`],
    exclude: part === undefined ? PARTS.map((name) => `test/${name}/**`) : [],
    globalSetup: part === 'e2e' ? ['test/e2e/helpers/setup.ts'] : [],
    tags: [
      {
        name: 'bundle',
        description: 'Each trigger, end and action, a kill and a signal: once more with dist/.',
      },
      {
        name: 'matrix',
        description:
          'What crosses two lists, or takes long: `npm test` has one of each kind, `npm run test:matrix` the rest.',
      },
    ],
    testTimeout: HANGS_AFTER_MS,
    hookTimeout: HANGS_AFTER_MS,
    // A test file leaves nothing behind in its process, and starting one costs more than most files take. The parts
    // start servers and programs of their own.
    isolate: part !== undefined,
    // More than the cores of a small runner: tests that wait for processes leave room for others.
    maxWorkers: 4,
    // Proxies and tokens of this machine must not reach what is tested.
    env: { HTTPS_PROXY: '', HTTP_PROXY: '', https_proxy: '', http_proxy: '', NO_PROXY: '', no_proxy: '' },
    restoreMocks: true,
    unstubEnvs: true,
  },
})
