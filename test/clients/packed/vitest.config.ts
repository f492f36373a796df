import { defineConfig } from 'vitest/config'

/** `npm run test:clients`: the packed client in new projects, with the versions of Node that it supports. */
export default defineConfig({
  test: {
    include: ['test/clients/packed/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    globalSetup: ['test/clients/packed/pack-client.ts', 'test/support/vitest/global-setup.ts'],
  },
})
