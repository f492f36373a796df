import { defineConfig } from 'vitest/config'
import { patience } from '../support/vitest/patience.ts'

/** `npm run test:languages`: programs in six languages against the local stack. */
export default defineConfig({
  test: {
    include: ['test/languages/*.test.ts'],
    ...patience,
    env: { ALL_LANGUAGES: 'true' },
    // The compilers fetch and build what they need.
    hookTimeout: 1_200_000,
    globalSetup: ['test/languages/install-mono.ts', 'test/support/vitest/global-setup.ts'],
    setupFiles: ['test/support/vitest/setup.ts'],
    fileParallelism: false,
  },
})
