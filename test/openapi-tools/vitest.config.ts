import { defineConfig } from 'vitest/config'

/** `npm run test:openapi`: independent linters and client generators read the OpenAPI document. */
export default defineConfig({
  test: {
    include: ['test/openapi-tools/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    globalSetup: ['test/openapi-tools/install-packages.mjs', 'test/support/vitest/global-setup.ts'],
    fileParallelism: false,
  },
})
