import { defineConfig } from 'vitest/config'
import { patience } from '../support/vitest/patience.ts'

/** `npm run test:openapi`: independent linters and client generators read the OpenAPI document. */
export default defineConfig({
  test: {
    include: ['test/openapi-tools/*.test.ts'],
    ...patience,
    globalSetup: ['test/openapi-tools/install-packages.mjs', 'test/support/vitest/global-setup.ts'],
    fileParallelism: false,
  },
})
