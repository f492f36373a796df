import { defineConfig } from 'vitest/config'
import { patience } from '../support/vitest/patience.ts'

/** `npm run test:browser`: the tests that need a real browser. */
export default defineConfig({
  test: {
    include: ['test/browser/*.test.ts', 'test/browser/{connect,dashboard,site}/*.test.ts'],
    ...patience,
    globalSetup: ['test/browser/install-chromium.mjs', 'test/support/vitest/global-setup.ts'],
    fileParallelism: false,
  },
})
