import { defineConfig } from 'vitest/config'

/** `npm run test:million`: the tests that take long because of the size of their data. */
export default defineConfig({
  test: {
    include: ['test/million/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    globalSetup: ['test/support/vitest/global-setup.ts'],
    setupFiles: ['test/support/vitest/setup.ts'],
    // Each file uses the whole machine.
    fileParallelism: false,
  },
})
