import { defineConfig } from 'vitest/config'
import { patience } from '../support/vitest/patience.ts'

/**
 * `npm run test:clients`: the packed client in new projects, and the code and commands of the pages, with the oldest Node that
 * each of them is for.
 */
export default defineConfig({
  test: {
    ...patience,
    include: ['test/clients/{packed,pages}/*.test.ts'],
    testTimeout: 300_000,
    globalSetup: ['test/clients/packed/pack-client.ts', 'test/support/vitest/global-setup.ts'],
    setupFiles: ['test/support/vitest/setup.ts'],
  },
})
