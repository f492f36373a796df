import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { schemaDocumentation } from '../../openapi/components/schemas.ts'
import { newFolder } from '../support/command-fixture.ts'
import { documentFile, runTool } from './run-tool.ts'

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  target: 'es2022',
  module: 'preserve',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  allowImportingTsExtensions: true,
  noEmit: true,
}

test('the types of the client are those that openapi-typescript makes of the document', async () => {
  const folder = newFolder()
  await writeFile(join(folder, 'openapi.json'), await documentOfTypes())
  const generated = await runTool('openapiTypescript', ['openapi.json', '-o', 'schema.ts'], folder)
  expect(generated, generated.stderr).toMatchObject({ exitCode: 0 })
  await symlink(
    join(import.meta.dirname, '../../clients/typescript/src'),
    join(folder, 'client'),
    'junction',
  )
  await cp(join(import.meta.dirname, 'clients/client-types.ts'), join(folder, 'client-types.ts'))
  const config = { compilerOptions, files: ['client-types.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const { stdout } = await runTool('typescript', [], folder)
  expect(stdout).toBe('')
})

/**
 * The document without the statement that responses can have more fields: it would make an index signature of each type,
 * and the compiler would accept misspelt fields. An object whose other fields are known to exist keeps it.
 */
async function documentOfTypes(): Promise<string> {
  const document = JSON.parse(await readFile(documentFile, 'utf8'))
  const { schemas } = document.components
  for (const [name, { additionalProperties: _, ...schema }] of Object.entries<Schema>(schemas)) {
    if (schemaDocumentation[name]?.schema.type !== 'loose_object') schemas[name] = schema
  }
  return JSON.stringify(document)
}

type Schema = Record<string, unknown>
