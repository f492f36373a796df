import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'test/million/**'],
    testTimeout: 20_000,
    globalSetup: ['test/support/vitest/global-setup.ts'],
    // Many tests wait for a service rather than compute: more workers than cores pay.
    maxWorkers: availableParallelism() + 1,
  },
})
