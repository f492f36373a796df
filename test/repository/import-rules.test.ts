import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { newFolder } from '../support/command-fixture.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

const BIOME = resolve('node_modules/@biomejs/biome/bin/biome')
const SETTINGS = ['biome.json', '.gitignore', 'package.json']

/**
 * Imports that are forbidden in each file: most rules forbid everything but what they list, which the linter shows in the
 * files of this repository.
 */
const forbiddenImports: Record<string, string[]> = {
  'lib/json/a.ts': ['../domain/b.ts', 'valibot', 'node:buffer'],
  'lib/domain/a.ts': ['../contract/b.ts', '../adapters/kms/b.ts', './../http/b.ts', 'node:crypto'],
  'lib/domain/product/a.ts': ['../../http/b.ts', '../ports/../../http/b.ts', 'valibot'],
  'lib/contract/a.ts': ['../http/b.ts', '../domain/../http/b.ts', './documentation/b.ts', 'jose'],
  'lib/contract/fields/a.ts': ['../documentation/b.ts', './../../http/b.ts', 'node:crypto'],
  'lib/observability/a.ts': ['../domain/b.ts', 'valibot'],
  'lib/settings/a.ts': ['../contract/b.ts', '../../infra/b.ts', 'jose'],
  'lib/http/a.ts': ['../adapters/b.ts', '../contract/../settings/b.ts', '@aws-sdk/client-kms'],
  'lib/adapters/a.ts': ['../http/b.ts', '../../functions/b.ts', './kms/../../http/b.ts', 'level'],
  'lib/adapters/kms/a.ts': ['../jose/b.ts', '../../domain/../http/b.ts', '@noble/curves/nist.js'],
  'lib/adapters/accounts/a.ts': ['../alchemy/indexer-call.ts', '../kms/b.ts', 'alchemy-sdk'],
  'lib/adapters/dynamodb/keys/a.ts': ['../b.ts', '../../aws/b.ts', '@aws-sdk/client-dynamodb'],
  'lib/adapters/dynamodb/keeping/a.ts': ['../../kms/b.ts', '../../../settings/b.ts'],
  'functions/operations.ts': ['./b/handler.ts', '../lib/domain/b.ts', 'valibot'],
  'functions/a/operation.ts': ['./handler.ts', '../b/operation.ts', '../../lib/http/b.ts', 'jose'],
  'functions/a/handler.ts': ['../b/handler.ts', '../../lib/../infra/b.ts', '@aws-sdk/client-kms'],
  'functions/composition/a.ts': ['../b.ts', '../../lib/../infra/b.ts', 'jose'],
  'openapi/a.ts': ['../lib/http/b.ts', '../functions/b/handler.ts', '../infra/b.ts'],
  'openapi/generator/a.ts': ['../../lib/http/b.ts', '../../functions/b.ts', '../../local/b.ts'],
  'infra/a.ts': ['../functions/b/handler.ts', './../functions/b.ts', '../lib/http/b.ts'],
  'infra/keys/a.ts': ['../../lib/adapters/b.ts', './../settings/b.ts', '../../local/b.ts'],
  'infra/custom-resources/b/a.ts': ['../c/d.ts', '../../settings/c.ts', './../c/d.ts'],
  'infra/bundle/a.ts': ['../b.ts', '../../functions/b.ts', '../../lib/adapters/b.ts'],
  'clients/typescript/src/a.ts': ['./../b.ts', '../../../lib/contract/b.ts', 'jose', 'node:crypto'],
  'clients/typescript/src/verify.ts': ['../b.ts', '../../../lib/adapters/jose/b.ts', 'node:crypto'],
  'dashboard/main.tsx': ['../lib/domain/b.ts', './build/b.ts', 'node:path'],
  'dashboard/shell/a.tsx': ['../../lib/domain/b.ts', '../components/../build/b.ts', 'node:path'],
  'dashboard/views/keys/a.tsx': ['../../build/b.ts', '../../../lib/domain/b.ts', 'node:path'],
  'dashboard/connect/a.tsx': ['../views/keys/b.tsx', '../../local/samples/b.ts', 'valibot'],
  'bench/day/a.ts': ['../../test/support/b.ts', './../../test/b.ts'],
  'scripts/a.ts': ['../test/support/b.ts', '../bench/../test/b.ts'],
  'simulation/a.ts': ['../test/b.ts', './../test/support/b.ts'],
  'dashboard/site/a.ts': ['../views/keys/b.tsx', '../../infra/b.ts', 'qr'],
  'dashboard/build/a.ts': ['../views/keys/b.tsx', '../../infra/b.ts', 'preact'],
}

/** A line that breaks a rule in the first file, and is permitted in the second. */
const permittedPlaces: [rule: string, line: string, wrong: string, right: string][] = [
  ['noProcessEnv', 'export const a = process.env', 'lib/http/a.ts', 'lib/settings/part.ts'],
  ['noProcessEnv', 'export const b = process.env', 'functions/a/handler.ts', 'infra/a.ts'],
  ['noConsole', "console.log('a')", 'lib/observability/log.ts', 'infra/a.ts'],
  ['noConsole', "console.log('b')", 'functions/a/handler.ts', 'scripts/a.ts'],
  ['noRestrictedGlobals', "process.stdout.write('a')", 'lib/http/a.ts', 'lib/observability/log.ts'],
  ['noRestrictedGlobals', "process.exit('b')", 'functions/a/handler.ts', 'lib/settings/part.ts'],
  ['noUndeclaredDependencies', "import 'constructs'", 'lib/adapters/kms/a.ts', 'infra/a.ts'],
]

/** The forms in which a module can import another. */
const forms = (from: string): string[] => [
  `import { b } from '${from}'`,
  `import type { B } from '${from}'`,
  `import '${from}'`,
  `export { b } from '${from}'`,
  `export type { B } from '${from}'`,
  `export const a = await import('${from}')`,
]

const linesOf = new Map<string, string[]>()
let broken: Set<string>

/** Writes the line to a file that the linter reads. */
function put(file: string, line: string): void {
  linesOf.set(file, [...(linesOf.get(file) ?? []), line])
}

function breaks(rule: string, file: string, line: string): boolean {
  return broken.has(`${rule} ${file}:${(linesOf.get(file) ?? []).indexOf(line) + 1}`)
}

beforeAll(async () => {
  for (const [file, imports] of Object.entries(forbiddenImports)) {
    for (const line of imports.flatMap(forms)) put(file, line)
  }
  for (const [, line, wrong, right] of permittedPlaces)
    for (const file of [wrong, right]) put(file, line)
  broken = await lint()
})

/** Lints all lines with the project's settings; returns `<rule> <file>:<line>` for each violation. */
async function lint(): Promise<Set<string>> {
  const folder = newFolder(atFileEnd)
  for (const name of SETTINGS) await copyFile(name, join(folder, name))
  for (const [file, lines] of linesOf) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), lines.join('\n'))
  }
  const args = [BIOME, 'lint', '--reporter=json', '--max-diagnostics=none']
  const report = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout
  const { diagnostics } = JSON.parse(report) as { diagnostics: Diagnostic[] }
  return new Set(diagnostics.map(offence))
}

interface Diagnostic {
  category: string
  location: { path: string; start: { line: number } }
}

function offence({ category, location: { path, start } }: Diagnostic): string {
  return `${category.split('/').at(-1)} ${path}:${start.line}`
}

test.each(Object.entries(forbiddenImports))(
  '%s may not import %j, in any form',
  (file, imports) => {
    const isPermitted = (line: string) => !breaks('noRestrictedImports', file, line)
    expect(imports.flatMap(forms).filter(isPermitted)).toEqual([])
  },
)

test.each(permittedPlaces)('%s: `%s` is wrong in %s, right in %s', (rule, line, wrong, right) => {
  expect([wrong, right].map((file) => breaks(rule, file, line))).toEqual([true, false])
})
