import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    // Vitest would leave one of two cores idle; many tests wait.
    maxWorkers: 3,
    globalSetup: ['test/support/global-setup.ts'],
  },
})
