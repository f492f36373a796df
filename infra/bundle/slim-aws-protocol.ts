import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/** The modules of the SDK's own protocol and of schemas, and the code that replaces them. */
const substitutes: Readonly<Record<string, string>> = {
  '@aws-sdk/core/protocols': `export const AwsJson1_0Protocol = undefined
  export const AwsJson1_1Protocol = undefined`,
  '@aws-sdk/dynamodb-codec': 'export class DynamoDBJsonCodec2 {}',
  // A command asks whether its operation uses event streams, and how to log its input.
  '@smithy/core/schema': `export class NormalizedSchema {
    static of() { return { getEventStreamMember: () => '', getMergedTraits: () => ({ sensitive: 1 }) } }
  }`,
}

/** The modules that import them: the options of a client, and the class of all commands. */
const importers =
  /[\\/](client-[^\\/]+[\\/]dist-es[\\/]runtimeConfig\.shared|smithy-client[\\/](command|schemaLogFilter))\.js$/

/** The schemas of the operations, structures and errors of a client. */
const schemasModule = /[\\/]client-[^\\/]+[\\/]dist-es[\\/]schemas[\\/]schemas_0\.js$/

/**
 * Removes the SDK's own protocol from the AWS clients: the code that writes requests and reads responses by their
 * schemas, the schemas, and the classes of errors. The adapters give each client jsonProtocol in its place, which
 * needs only the names of the operations.
 */
export const slimAwsProtocol: Plugin = {
  name: 'slim-aws-protocol',
  setup({ onLoad, onResolve }) {
    const filter = new RegExp(`^(${Object.keys(substitutes).join('|')})$`)
    onResolve({ filter }, ({ path, importer }) =>
      importers.test(importer) ? { path, namespace: 'protocol' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'protocol' }, ({ path }) => ({
      contents: substitutes[path] ?? '',
    }))
    onLoad({ filter: schemasModule }, async ({ path }) => ({
      contents: operationsIn(await readFile(path, 'utf8')),
    }))
  },
}

/** Keeps the operations of a module of schemas, which have the number 9, without their input and output. */
function operationsIn(schemas: string): string {
  const names = Array.from(schemas.matchAll(/^export var (\w+)\$ = \[9,/gm), ([, name]) => name)
  return [
    'export const errorTypeRegistries = []',
    ...names.map((name) => `export const ${name}$ = [9, '', '${name}', 0, 'unit', 'unit']`),
  ].join('\n')
}
