import { defineConfig } from 'vitest/config'

/** `npm run test:million`: what takes minutes. */
export default defineConfig({
  test: {
    include: ['test/million/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    globalSetup: ['test/support/vitest/global-setup.ts'],
    // Each file has a machine's worth of work for itself.
    fileParallelism: false,
  },
})
