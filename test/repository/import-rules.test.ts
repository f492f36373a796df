import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'

const { dirname, join, matchesGlob } = posix

const npm = 'npm:*{,/**}'
const node = 'node:*{,/**}'
const domain = 'lib/domain/**'
const operations = 'functions/operations.ts'
const client = 'clients/typescript/src/*'
const code = '{bench,docs,functions,infra,lib,openapi,scripts,simulation}/**'
const ofAdapters = ['lib/adapters/*.ts', 'lib/{json,observability,settings}/*', domain]
const sdks = [
  'npm:{@aws-sdk/{client,lib,util}-*,@smithy/core/*,@noble/{hashes/*,curves/secp256k1.js}}',
  'npm:{alchemy-sdk,ipaddr.js,jose,valibot}',
  node,
]
const ofPages = ['dashboard/{components,shell}/*', client, 'npm:preact{,/*}']
const ofTests = ['test/support/**', operations, npm, node]

/**
 * What files may import: files by their paths in the repository, or by those from their own folder, which begin with a dot,
 * and packages by their names. The last row that has a file counts.
 */
const rules: readonly (readonly [files: string, ...mayImport: string[]])[] = [
  // Nothing of a workspace, but by its name.
  ['**', npm, node, code, '{examples,test}/**', '*'],
  ['{bench,scripts,simulation}/**', npm, node, code, '*'],
  // People copy them.
  ['examples/**', 'examples/**', 'npm:jose', node],
  ['lib/json/*', './*'],
  // Metadata is JSON text, and the hash function is that of EIP-55.
  ['lib/domain/**', 'lib/{domain,json}/**', 'npm:@noble/hashes/*'],
  ['lib/contract/*', './{,fields/}*', 'lib/json/*', domain, 'npm:valibot'],
  ['lib/contract/*/*', './*', 'lib/contract/*', domain, 'npm:valibot'],
  ['lib/settings/*', './*', domain, 'npm:valibot', node],
  ['lib/observability/*', './*', node],
  [
    'lib/http/*',
    './*',
    'lib/{contract,json,observability}/*',
    domain,
    'npm:{@middy/core,aws-lambda,valibot}',
    node,
  ],
  ['lib/adapters/**', './**', 'lib/adapters/aws/*', ...ofAdapters, ...sdks],
  [
    'lib/adapters/accounts/*',
    './*',
    // How the indexer is asked.
    'lib/adapters/alchemy/{asking,compute-units,http-exchange,shown-message}.ts',
    ...ofAdapters,
  ],
  ['lib/adapters/dynamodb/keys/*', './*', domain],
  [
    'lib/adapters/dynamodb/keeping/*',
    './*',
    'lib/adapters/{,aws/,dynamodb/{,keys/}}*.ts',
    'lib/observability/*',
    domain,
    ...sdks,
  ],
  ['functions/*.ts', './*/operation.ts', 'lib/contract/**'],
  ['functions/*/operation.ts', 'lib/contract/**', domain, 'npm:valibot'],
  [
    'functions/*/handler.ts',
    './operation.ts',
    'functions/composition/*',
    'lib/**',
    'docs/openapi.json',
    'npm:aws-lambda',
    node,
  ],
  ['functions/composition/*', './*', 'lib/**'],
  [
    'openapi/**',
    './**',
    'openapi/{,components/,generator/,problems/}*',
    operations,
    'lib/contract/**',
    domain,
    'npm:{valibot,@valibot/to-json-schema}',
  ],
  [
    'infra/**',
    'infra/**',
    operations,
    'lib/{contract,json,observability,settings}/*',
    domain,
    'npm:{aws-cdk-lib{,/**},cdk-nag,constructs,valibot}',
    'npm:@player-nfts/dashboard/{build/*,shell/page-paths,site/build-site}',
    node,
  ],
  ['infra/bundle/*', './*', operations, 'lib/contract/*', 'npm:esbuild', node],
  [
    'infra/custom-resources/**',
    './*',
    'infra/custom-resources/*.ts',
    'npm:{@aws-sdk/*,aws-lambda,valibot}',
    node,
  ],
  ['clients/typescript/src/*', './*'],
  ['clients/typescript/src/verify.ts', './*', 'npm:jose'],
  [
    'clients/typescript/test/**',
    'clients/typescript/**',
    'lib/contract/*',
    'docs/openapi.json',
    ...ofTests,
  ],
  ['dashboard/**', 'dashboard/views/*/*', ...ofPages],
  ['dashboard/views/**', 'dashboard/views/**', 'lib/domain/allowlist/*', ...ofPages],
  ['dashboard/connect/*', './*', 'npm:qr', ...ofPages],
  ['dashboard/build/*', './*', 'dashboard/shell/*', 'npm:esbuild', node],
  [
    'dashboard/site/**',
    'dashboard/{build,components,shell,site}/**',
    'npm:{github-slugger,highlight.js{,/**},markdown-it,minisearch,preact{,/*}}',
    node,
  ],
  ['dashboard/test/**', 'dashboard/**', client, 'lib/{contract,domain}/**', ...ofTests],
  // They name the types of the client, as the dashboard does.
  ['test/browser/dashboard/**', npm, node, code, 'test/**', client],
  [
    'local/**',
    'local/**',
    'lib/{contract,domain,json,settings}/**',
    'lib/adapters/{accounts,alchemy,aws,dynamodb,kms}/**',
    '{functions/operations,infra/bundle/bundle,infra/settings/settings}.ts',
    npm,
    node,
  ],
  [
    'local/test/**',
    'local/**',
    'lib/{domain,adapters/accounts}/**',
    '{bench/cold-start/forbidden-modules,infra/bundle/bundle}.ts',
    ...ofTests,
  ],
]

function mayImport(file: string, path: string): boolean {
  const [, ...permitted] = rules.findLast(([files]) => matchesGlob(file, files)) ?? []
  return permitted.some((each) =>
    matchesGlob(path, each.startsWith('.') ? join(dirname(file), each) : each),
  )
}

/** What a file imports, in any form: a file by its path in the repository, and a package by `npm:` and its name. */
const importsIn = (file: string, text: string): string[] =>
  Array.from(
    text.matchAll(
      /^(?:import |(?:import|export) [^'\n]* from |\} from )'([^'\n]+)'|\bimport\('([^'\n]+)'/gm,
    ),
    ([, named, loaded]) => {
      const name = named ?? loaded ?? ''
      if (name.startsWith('.')) return join(dirname(file), name)
      return name.startsWith('node:') ? name : `npm:${name}`
    },
  )

const files = globSync('**/*.{ts,tsx,mjs}', {
  exclude: ['**/node_modules', '**/dist', '.*', 'test/clients/packed/programs', 'cdk.out'],
})

const imports = files.flatMap((file) =>
  importsIn(file, readFileSync(file, 'utf8')).map((path) => ({ file, path })),
)

test('no file imports what its folder may not', () => {
  expect(imports.length).toBeGreaterThan(10_000)
  const wrong = imports.filter(({ file, path }) => !mayImport(file, path))
  expect(wrong.map(({ file, path }) => `${file}: ${path}`)).toEqual([])
})

test.each([
  "import { b } from './../http/b.ts'",
  "import type { B } from './../http/b.ts'",
  "import {\n  b,\n} from './../http/b.ts'",
  "import './../http/b.ts'",
  "export { b } from './../http/b.ts'",
  "export type { B } from './../http/b.ts'",
  "export const a = await import('./../http/b.ts')",
])('no form of an import is overlooked: %s', (line) => {
  const file = 'lib/domain/a.ts'
  expect(importsIn(file, line)).toEqual(['lib/http/b.ts'])
  expect(importsIn(file, line).some((path) => mayImport(file, path))).toBe(false)
})

test.each(['dashboard', 'local'])(
  '%s exports each module that others import, and no more',
  (folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const exported = Object.keys(exports).map((path) => `npm:${join(name, path)}`)
    const imported = imports
      .filter(({ file, path }) => path.startsWith(`npm:${name}/`) && !file.startsWith(`${folder}/`))
      .map(({ path }) => path)
    expect(exported).toEqual([...new Set(imported)].toSorted())
  },
)
