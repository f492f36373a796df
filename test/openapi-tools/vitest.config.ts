import { defineConfig } from 'vitest/config'
import { patience } from '../support/vitest/patience.ts'

/** `npm run test:openapi`: an independent linter and a generator of types read the OpenAPI document. */
export default defineConfig({
  test: {
    include: ['test/openapi-tools/*.test.ts'],
    ...patience,
    globalSetup: ['test/openapi-tools/install-packages.mjs'],
    fileParallelism: false,
  },
})
