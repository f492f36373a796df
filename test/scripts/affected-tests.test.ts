import { expect, test } from 'vitest'
import { testsReachedBy } from '../../scripts/affected-tests.ts'
import { run } from '../support/command-fixture.ts'

const service = "import '../support/service.ts'"

/** A small repository. */
const files = new Map(
  Object.entries({
    'lib/domain/key.ts': '',
    'lib/adapters/key.ts': '',
    'functions/get-product/handler.ts': "import '../../lib/domain/key.ts'",
    'functions/rotate-key/handler.ts': '',
    'functions/sign-in/handler.ts': '',
    'functions/work-queue/handler.ts': '',
    'functions/test-webhook/handler.ts': '',
    'functions/deliver-webhooks/handler.ts': '',
    'functions/follow-chains/handler.ts': '',
    'local/package.json': '{"name":"@x/local","exports":{"./stack":"./stack.ts"}}',
    'local/stack.ts': '',
    'local/world.json': '',
    'dashboard/build/build.ts': "join(root, 'main.tsx')",
    'dashboard/main.tsx': '',
    'docs/fees.md': '',
    'test/support/service.ts': "import '@x/local/stack'",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a template
    'test/support/keys.ts': 'call(`${method} /product/keys/{keyId}${end}`)',
    'test/support/vitest/global-setup.ts': "import '@x/local/stack'",
    'test/domain/key.test.ts': "import '../../lib/domain/key.ts'",
    'test/domain/type.test.ts': "import type { Key } from '../../lib/domain/key.ts'",
    'test/domain/name.test.ts': "expect(nameOf('getProduct'))",
    'test/adapters/all.test.ts': "glob('lib/adapters/**/*.ts')",
    'test/api/get.test.ts': `${service}\ncall('GET /product')`,
    'test/api/delete.test.ts': `${service}\n// Not 'GET /product'.\n\ncall('DELETE /product', './gone.ts')`,
    'test/api/keys.test.ts': `${service}\nimport '../support/keys.ts'`,
    'test/service/worker.test.ts': `${service}\ninvoke(workerName)`,
    'test/service/webhook.test.ts': `${service}\ncall('POST /product/webhooks/1/test')`,
    'test/service/follower.test.ts': `${service}\nstart({ FOLLOWED_CHAINS: 'POLYGON' })`,
    'test/service/still.test.ts': `${service}\nstart({ FOLLOWED_CHAINS: 'none' })`,
    'simulation/page.ts': "call('POST /login')",
    'test/service/page.test.ts': `${service}\nimport '../../simulation/page.ts'`,
    'test/service/shared.test.ts': `${'inject'}('target')`,
    'test/dashboard/build.test.ts': "import '../../dashboard/build/build.ts'",
    'test/repository/fees.test.ts': "readFileSync('docs/fees.md')",
  }),
)
const all = [...files.keys()].filter((path) => path.endsWith('.test.ts'))
const ofService = all.filter((path) => /^test\/(api|service)/.test(path))

test.each([
  [
    'an import, and the bundle of a called function',
    'lib/domain/key.ts',
    ['domain/key', 'domain/name', 'api/get'],
  ],
  ['a handler', 'functions/get-product/handler.ts', ['domain/name', 'api/get']],
  ['a call in a room of several', 'functions/sign-in/handler.ts', ['service/page']],
  ['a path that goes on with a value', 'functions/rotate-key/handler.ts', ['api/keys']],
  ['the setting of the follower', 'functions/follow-chains/handler.ts', ['service/follower']],
  [
    'what takes a message of a called function',
    'functions/deliver-webhooks/handler.ts',
    ['service/webhook'],
  ],
  [
    'the variable with a name, and what the follower sends messages',
    'functions/work-queue/handler.ts',
    ['service/worker', 'service/follower'],
  ],
  ['a name from a folder above', 'dashboard/main.tsx', ['dashboard/build']],
  ['a folder that a test looks through', 'lib/adapters/key.ts', ['adapters/all']],
  ['a deleted file', 'test/api/gone.ts', ['api/delete']],
  ['a page', 'docs/fees.md', ['repository/fees']],
  ['a page that no test names', 'docs/other.md', ['repository/fees']],
])('%s reaches its tests', (_, changed, tests) => {
  const reached = testsReachedBy([changed], files).tests
  expect(reached).toEqual(tests.map((name) => `test/${name}.test.ts`))
})

test.each([
  ['an export of a package, and the global setup, its users', 'local/stack.ts', ofService],
  ['what nothing names, what its folder reaches', 'local/world.json', [...ofService, all.at(-1)]],
  ['an unknown file of the root, all tests', 'cdk.json', all],
  ['the packages, all tests', 'package.json', all],
  ['what each test begins with, all tests', 'test/support/vitest/setup.ts', all],
])('%s', (_, changed, tests) => {
  expect(testsReachedBy([changed], files)).toMatchObject({ tests, all: all.length })
})

test.each([
  [['--watch'], 'needs a terminal'],
  [['--affected', '--base', 'nowhere'], "bad revision 'nowhere'"],
])('npm test with %j says what is wrong', async (args, message) => {
  const { code, stderr } = await run('scripts/test.ts', args).ended
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
})
