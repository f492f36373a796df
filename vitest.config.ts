import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests that need no service and leave nothing behind. They share processes, which saves their starts. */
const pure = ['test/{contract,domain,http,json,openapi}/**/*.test.ts']

export default defineConfig({
  test: {
    testTimeout: 20_000,
    // Many tests wait for a service rather than compute, so more workers than cores save time.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [...pure, 'test/browser/**', 'test/million/**'],
          globalSetup: ['test/support/vitest/global-setup.ts'],
        },
      },
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
    ],
  },
})
