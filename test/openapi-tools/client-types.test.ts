import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { schemaDocumentation } from '../../openapi/components/schemas.ts'
import { newFolder } from '../support/command-fixture.ts'
import { documentFile, runTool } from './run-tool.ts'

test('the types of the client are those of the OpenAPI document; -u writes them', async () => {
  const folder = newFolder()
  await writeFile(join(folder, 'openapi.json'), await documentOfTypes())
  const args = ['openapi.json', '-o', 'schema.ts']
  const { exitCode } = await runTool('openapiTypescript', args, folder)
  expect(exitCode).toBe(0)
  const types = await readFile(join(folder, 'schema.ts'), 'utf8')
  await expect(types).toMatchFileSnapshot('../../clients/typescript/src/schema.ts')
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
