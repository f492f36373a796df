import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { patience } from './test/support/vitest/patience.ts'

/** Tests that need no service. They start while the service of the others does not exist yet. */
const pure = [
  'test/{contract,domain,http,json,openapi}/**/*.test.ts',
  'dashboard/test/**/*.test.ts',
]

/** Tests that replace globals, or import adapters, which read the environment when they are evaluated. */
const isolated = [
  'test/{adapters,settings}/**/*.test.ts',
  'test/infra/custom-resources/deployment-checks/**/*.test.ts',
]

/**
 * Tests that go through every function, command or limit one by one, and take long together:
 * `npm run test:extended`.
 */
const extended = [
  'test/api/generated-requests.test.ts',
  'test/domain/audits/audit-model.test.ts',
  'test/domain/keeping/kept-model.test.ts',
  'test/infra/bundle/bundles.test.ts',
  'local/test/keeping.test.ts',
  'test/scripts/test-account/command.test.ts',
  'test/scripts/{help,player-commands,stop-product,user-token}.test.ts',
  'test/service/{client-access,delete-product,every-chain,key-rotation}.test.ts',
  'test/service/{login-with-key-set,metrics,no-secrets,permissions}.test.ts',
  'test/service/{product-access,remembered-balances,usage}.test.ts',
  'test/service/request-{counts,counts-by-size,rounds}.test.ts',
]

/** Tests of faults, which kill processes or wait for deadlines: `npm run test:faults`. */
const faults = ['{test,local/test}/faults/**/*.test.ts']
const isolatedFaults = ['test/faults/hostile-key-set.test.ts']

/** Tests of faults that count what 2,000 requests in three containers spend: beside others, requests time out. */
const faultsAlone = ['test/faults/drains.test.ts']

/** Tests with packages or times of their own, and a configuration of their own. */
const others = [
  'test/{browser,clients,million,openapi-tools}/**',
  'test/languages/{generated,oauth}-clients.test.ts',
]

/** Extended tests that are also isolated. */
const isolatedExtended = [
  'test/adapters/dynamodb/allowlist-model.test.ts',
  'test/adapters/dynamodb/keeping/kept-{list-attempts,ports-model}.test.ts',
  'test/adapters/dynamodb/webhook-deliveries.test.ts',
]

const setupFiles = ['test/support/vitest/fresh-modules.ts']

const globalSetup = ['test/support/vitest/global-setup.ts']

export default defineConfig({
  test: {
    ...patience,
    // Many tests wait for a service rather than compute, so more workers than cores save time.
    maxWorkers: availableParallelism() + 1,
    // Test files share processes, which saves the start and the imports of each.
    isolate: false,
    setupFiles: ['test/support/vitest/setup.ts'],
    projects: [
      {
        test: {
          name: 'service',
          include: ['{test,clients/typescript/test,local/test}/**/*.test.ts'],
          exclude: [...pure, ...isolated, ...extended, ...faults, ...others],
          globalSetup,
        },
      },
      { test: { name: 'pure', include: pure, exclude: extended } },
      { test: { name: 'isolated', include: isolated, exclude: isolatedExtended, setupFiles } },
      { test: { name: 'extended', include: extended, globalSetup } },
      { test: { name: 'extended-isolated', include: isolatedExtended, setupFiles } },
      {
        test: {
          name: 'faults',
          include: faults,
          exclude: [...isolatedFaults, ...faultsAlone],
          globalSetup,
        },
      },
      { test: { name: 'faults-isolated', include: isolatedFaults, setupFiles, globalSetup } },
      {
        test: {
          name: 'faults-alone',
          include: faultsAlone,
          globalSetup,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
