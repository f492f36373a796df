/** The permitted and the forbidden imports of each file. */
export const rules: Record<string, { allowed: string[]; forbidden: string[] }> = {
  'lib/json/a.ts': {
    allowed: ['./b.ts'],
    forbidden: ['../domain/b.ts', '../contract/b.ts', 'valibot', 'node:buffer'],
  },
  'lib/domain/a.ts': {
    allowed: ['./b.ts', './product/b.ts', '../json/b.ts', '@noble/hashes/sha3.js'],
    forbidden: [
      ...['../contract/b.ts', '../http/b.ts', '../adapters/kms/b.ts', '../settings/b.ts'],
      ...['../observability/b.ts', '../../functions/b.ts', '../../infra/b.ts', './../http/b.ts'],
      ...['node:crypto', 'valibot', 'jose', '@aws-sdk/client-kms'],
    ],
  },
  'lib/domain/product/a.ts': {
    allowed: ['./b.ts', '../b.ts', '../ports/b.ts', '../../json/b.ts', '@noble/hashes/sha3.js'],
    forbidden: [
      ...['../../contract/b.ts', '../../http/b.ts', '../../adapters/kms/b.ts', './../../http/b.ts'],
      ...['../../settings/b.ts', '../../../functions/b.ts', '../../../infra/b.ts'],
      ...['../ports/../../http/b.ts', 'node:crypto', 'valibot', 'jose', '@aws-sdk/client-kms'],
    ],
  },
  'lib/contract/a.ts': {
    allowed: [
      ...['./b.ts', './fields/b.ts', '../domain/b.ts', '../domain/ports/b.ts', '../json/b.ts'],
      'valibot',
    ],
    forbidden: [
      ...['../http/b.ts', '../adapters/kms/b.ts', '../settings/b.ts', '../../functions/b.ts'],
      ...['../observability/b.ts', '../../openapi/b.ts', '../domain/../http/b.ts'],
      ...['./documentation/b.ts', './fields/../../http/b.ts'],
      ...['node:crypto', '@valibot/to-json-schema', 'jose'],
    ],
  },
  'lib/contract/fields/a.ts': {
    allowed: ['./b.ts', '../b.ts', '../../domain/b.ts', '../../domain/nft/b.ts', 'valibot'],
    forbidden: [
      ...['../documentation/b.ts', '../../http/b.ts', '../../settings/b.ts', './../../http/b.ts'],
      ...['../../../functions/b.ts', 'node:crypto', 'jose'],
    ],
  },
  'lib/observability/a.ts': {
    allowed: ['./b.ts', 'node:async_hooks'],
    forbidden: ['../domain/b.ts', '../contract/b.ts', '../http/b.ts', 'valibot', '@middy/core'],
  },
  'lib/settings/a.ts': {
    allowed: ['./b.ts', '../domain/b.ts', 'valibot', 'node:crypto'],
    forbidden: [
      ...['../http/b.ts', '../adapters/b.ts', '../contract/b.ts', '../../functions/b.ts'],
      ...['../../infra/b.ts', 'jose'],
    ],
  },
  'lib/http/a.ts': {
    allowed: [
      ...['./b.ts', '../contract/b.ts', '../domain/b.ts', '../json/b.ts', '../observability/b.ts'],
      ...['@middy/core', 'valibot', 'node:util', 'node:timers/promises'],
    ],
    forbidden: [
      ...['../adapters/kms/b.ts', '../adapters/b.ts', '../settings/b.ts', '../../functions/b.ts'],
      ...['./../adapters/b.ts', '../contract/../settings/b.ts', '@aws-sdk/client-kms', 'jose'],
    ],
  },
  'lib/adapters/a.ts': {
    allowed: [
      ...['./kms/b.ts', './b.ts', '../domain/b.ts', '../json/b.ts', '../settings/b.ts'],
      ...['../observability/b.ts', 'node:util'],
    ],
    forbidden: [
      ...['../http/b.ts', '../contract/b.ts', '../../functions/b.ts', './kms/../../http/b.ts'],
    ],
  },
  'lib/adapters/kms/a.ts': {
    allowed: [
      ...[
        './b.ts',
        './deeper/b.ts',
        '../b.ts',
        '../aws/b.ts',
        '../../domain/b.ts',
        '../../settings/b.ts',
      ],
      ...['../../observability/b.ts', '../../json/b.ts', '@aws-sdk/client-kms', 'valibot'],
      '@noble/curves/secp256k1.js',
      'node:crypto',
    ],
    forbidden: [
      ...['../jose/b.ts', './../jose/b.ts', '../../adapters/jose/b.ts', '../../http/b.ts'],
      ...['../../contract/b.ts', '../../domain/../http/b.ts', '../../../functions/b.ts'],
      ...['../../../infra/b.ts', '@middy/core', 'esbuild', 'dynalite', '@noble/curves/nist.js'],
    ],
  },
  'functions/operations.ts': {
    allowed: ['./b/operation.ts', '../lib/contract/b.ts', '../lib/contract/documentation/b.ts'],
    forbidden: [
      ...['./b/handler.ts', './composition/b.ts', '../lib/http/b.ts', '../lib/domain/b.ts'],
      ...['../infra/b.ts', 'valibot', 'node:fs'],
    ],
  },
  'functions/a/operation.ts': {
    allowed: [
      ...['../../lib/contract/b.ts', '../../lib/contract/documentation/b.ts', 'valibot'],
      ...['../../lib/domain/b.ts', '../../lib/domain/product/b.ts'],
    ],
    forbidden: [
      ...['./handler.ts', '../b/operation.ts', '../composition/b.ts', '../operations.ts'],
      ...['../../lib/http/b.ts', '../../lib/adapters/kms/b.ts', '../../lib/settings/b.ts'],
      ...['../../infra/b.ts', '../../openapi/b.ts', '../../lib/contract/../http/c/b.ts'],
      ...['node:crypto', 'jose'],
    ],
  },
  'functions/a/handler.ts': {
    allowed: [
      ...['./operation.ts', '../../lib/http/b.ts', '../../lib/adapters/kms/b.ts'],
      ...['../../lib/domain/b.ts', '../../lib/contract/b.ts', '../../lib/settings/b.ts'],
      ...['../composition/b.ts', 'node:crypto'],
    ],
    forbidden: [
      ...['../b/handler.ts', '../b/operation.ts', '../operations.ts', '../../functions/b.ts'],
      ...['../../infra/b.ts', '../../lib/../infra/b.ts', '../../test/b.ts'],
      ...['@aws-sdk/client-kms', 'jose'],
    ],
  },
  'functions/composition/a.ts': {
    allowed: ['./b.ts', '../../lib/domain/b.ts', '../../lib/adapters/kms/b.ts'],
    forbidden: ['../b.ts', '../../infra/b.ts', '../../lib/../infra/b.ts', 'jose'],
  },
  'openapi/a.ts': {
    allowed: [
      ...['./b.ts', '../functions/operations.ts', '../lib/contract/b.ts', '../lib/domain/b.ts'],
      ...['valibot', '@valibot/to-json-schema'],
    ],
    forbidden: [
      ...['../lib/http/b.ts', '../lib/settings/b.ts', '../functions/b.ts', '../infra/b.ts'],
      '../functions/b/handler.ts',
    ],
  },
  'openapi/generator/a.ts': {
    allowed: ['./b.ts', '../b.ts', '../components/b.ts', '../../lib/contract/b.ts', 'valibot'],
    forbidden: ['../../lib/http/b.ts', '../../functions/b.ts', '../../local/b.ts'],
  },
  'infra/a.ts': {
    allowed: [
      ...['./b.ts', './keys/b.ts', '../lib/contract/b.ts', '../lib/domain/b.ts'],
      ...['../lib/settings/b.ts', '../functions/operations.ts', 'aws-cdk-lib', 'node:path'],
    ],
    forbidden: [
      ...['../functions/b.ts', '../functions/b/handler.ts', '../functions/b/operation.ts'],
      ...['../lib/http/b.ts', '../lib/adapters/b.ts', '../local/b.ts', '../dashboard/build/b.ts'],
      ...['./../functions/b.ts', '../lib/contract/../http/b.ts'],
    ],
  },
  'infra/keys/a.ts': {
    allowed: [
      ...['./b.ts', '../b.ts', '../settings/b.ts', '../custom-resources/b/c.ts'],
      ...['../../functions/operations.ts', '../../lib/contract/b.ts', '../../lib/domain/b.ts'],
      ...['../../lib/domain/product/b.ts', '../../lib/observability/b.ts', 'aws-cdk-lib'],
      ...['../../lib/json/b.ts', '../../lib/settings/b.ts', '../../dashboard/build/b.ts'],
      '../../dashboard/shell/page-paths.ts',
    ],
    forbidden: [
      ...[
        '../../functions/b.ts',
        '../../functions/b/handler.ts',
        '../../b.ts',
        './../settings/b.ts',
      ],
      ...['../../lib/http/b.ts', '../../lib/adapters/b.ts', '../../local/b.ts'],
      ...['../../dashboard/shell/b.ts', '../settings/../../local/b.ts'],
    ],
  },
  'infra/custom-resources/b/a.ts': {
    allowed: [
      ...['./c.ts', '../aws-calls.ts', '../response.ts'],
      ...['@aws-sdk/client-kms', 'node:crypto'],
    ],
    forbidden: [
      ...['../c/d.ts', '../../c.ts', '../../settings/c.ts', '../../../functions/c.ts'],
      ...['../../../lib/adapters/c.ts', '../../../dashboard/build/c.ts', './../c/d.ts'],
    ],
  },
  'infra/bundle/a.ts': {
    allowed: ['./b.ts', '../../lib/contract/b.ts', 'esbuild', 'node:path'],
    forbidden: ['../b.ts', '../../functions/b.ts', '../../lib/adapters/b.ts', '../../local/b.ts'],
  },
  'clients/typescript/src/a.ts': {
    allowed: ['./b.ts'],
    forbidden: ['./../b.ts', '../../../lib/contract/b.ts', '../../b.ts', 'jose', 'node:crypto'],
  },
  'clients/typescript/src/verify.ts': {
    allowed: ['./b.ts', 'jose'],
    forbidden: ['../b.ts', '../../../lib/adapters/jose/b.ts', 'valibot', 'node:crypto'],
  },
  'dashboard/shell/a.tsx': {
    allowed: [
      ...['./b.ts', '../components/b.tsx', '../views/keys/b.tsx', 'preact', 'preact/hooks'],
      '../../clients/typescript/src/b.ts',
    ],
    forbidden: [
      ...['../../lib/domain/b.ts', '../build/b.ts', '../../local/b.ts', 'node:path', 'esbuild'],
      ...['valibot', 'preact-router', '../components/../build/b.ts', '../../clients/b.ts'],
    ],
  },
  'dashboard/main.tsx': {
    allowed: ['./shell/b.tsx', './components/b.tsx', 'preact'],
    forbidden: ['../lib/domain/b.ts', './build/b.ts', 'node:path'],
  },
  'dashboard/views/keys/a.tsx': {
    allowed: [
      ...[
        './b.ts',
        './parts/b.ts',
        '../product/b.ts',
        '../../shell/b.ts',
        '../../components/b.tsx',
      ],
      ...['../../../clients/typescript/src/b.ts', 'preact', 'preact/hooks'],
    ],
    forbidden: [
      ...['../../build/b.ts', '../../../lib/domain/b.ts', '../../../local/b.ts', 'node:path'],
      ...['valibot', '../../../clients/typescript/b.ts'],
    ],
  },
  'dashboard/connect/a.tsx': {
    allowed: ['./b.ts', '../shell/b.ts', '../components/b.tsx', 'preact', 'preact/hooks', 'qr'],
    forbidden: ['../views/keys/b.tsx', '../build/b.ts', '../../local/samples/b.ts', 'valibot'],
  },
  'dashboard/build/a.ts': {
    allowed: ['./b.ts', '../shell/b.ts', 'esbuild', 'node:path', 'node:fs/promises'],
    forbidden: ['../views/keys/b.tsx', '../../lib/domain/b.ts', '../../infra/b.ts', 'preact'],
  },
  'local/a.ts': {
    allowed: ['../functions/b.ts', '../lib/adapters/kms/b.ts', '../infra/b.ts', './aws/b.ts'],
    forbidden: [],
  },
  'test/api/a.test.ts': {
    allowed: ['../../functions/b.ts', '../../lib/domain/b.ts', '../../local/b.ts', 'vitest'],
    forbidden: [],
  },
}

/** A line that breaks a rule in the first file, and is permitted in the second. */
export const permittedPlaces: [rule: string, line: string, wrong: string, right: string][] = [
  ['noProcessEnv', 'export const a = process.env', 'lib/http/a.ts', 'lib/settings/part.ts'],
  ['noProcessEnv', 'export const b = process.env', 'functions/a/handler.ts', 'infra/a.ts'],
  ['noConsole', "console.log('a')", 'lib/observability/log.ts', 'infra/a.ts'],
  ['noConsole', "console.log('b')", 'functions/a/handler.ts', 'scripts/a.ts'],
  ['noRestrictedGlobals', "process.stdout.write('a')", 'lib/http/a.ts', 'lib/observability/log.ts'],
  ['noRestrictedGlobals', "process.exit('b')", 'functions/a/handler.ts', 'lib/settings/part.ts'],
  ['noUndeclaredDependencies', "import 'constructs'", 'lib/adapters/kms/a.ts', 'infra/a.ts'],
]
