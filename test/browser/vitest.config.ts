import { defineConfig } from 'vitest/config'

/** `npm run test:browser`: the tests that need a real browser. */
export default defineConfig({
  test: {
    include: ['test/browser/*.test.ts', 'test/browser/dashboard/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    globalSetup: ['test/browser/install-chromium.mjs', 'test/support/vitest/global-setup.ts'],
    fileParallelism: false,
  },
})
