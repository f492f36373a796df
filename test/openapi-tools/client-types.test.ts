import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../support/command-fixture.ts'
import { documentFile, runTool } from './run-tool.ts'

test('the types of the client are those of the OpenAPI document; -u writes them', async () => {
  const folder = newFolder()
  const { exitCode } = await runTool('openapiTypescript', [documentFile, '-o', 'schema.ts'], folder)
  expect(exitCode).toBe(0)
  const types = await readFile(join(folder, 'schema.ts'), 'utf8')
  await expect(types).toMatchFileSnapshot('../../clients/typescript/src/schema.ts')
})
