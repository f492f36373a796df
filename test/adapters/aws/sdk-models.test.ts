import { glob, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { NormalizedSchema } from '@smithy/core/schema'
import { describe, expect, test } from 'vitest'
import { awsEndpoint } from '../../../lib/adapters/aws/aws-attempts.ts'
import { services } from './clients.ts'
import { operations, publishedClients } from './published.ts'

type Schema = Parameters<typeof NormalizedSchema.of>[0]

/** The names of the operations for which the files of lib have a command. */
async function operationsInLib(): Promise<string[]> {
  const names = new Set<string>()
  for await (const file of glob('lib/adapters/**/*.ts')) {
    const text = await readFile(file, 'utf8')
    for (const [, name = ''] of text.matchAll(/ommand(?:Of)?<[^()]*>\(\s*'(\w+)'/g)) names.add(name)
  }
  return [...names].sort()
}

/** A member of a schema, with the names that lead to it. */
interface Member {
  path: string
  schema: NormalizedSchema
}

/** All members of a schema, each shape once. */
function* membersOf(
  schema: NormalizedSchema,
  path: string,
  seen = new Set<unknown>(),
): Iterable<Member> {
  yield { path, schema }
  if (seen.has(schema.getSchema())) return
  seen.add(schema.getSchema())
  if (schema.isStructSchema()) {
    for (const [name, member] of schema.structIterator())
      yield* membersOf(member, `${path}.${name}`, seen)
  } else if (schema.isListSchema() || schema.isMapSchema()) {
    yield* membersOf(schema.getValueSchema(), `${path}[]`, seen)
  }
}

const members = (shape: unknown, path: string): Member[] => [
  ...membersOf(NormalizedSchema.of(shape as Schema), path),
]

const inputs = operations.flatMap(([, , name, , input]) => members(input, name))
const outputs = operations.flatMap(([, , name, , , output]) => members(output, name))

/** The paths of the members for which something holds. */
const pathsOf = (among: Member[], holds: (schema: NormalizedSchema) => boolean): string[] =>
  among.filter(({ schema }) => holds(schema)).map(({ path }) => path)

/** Members that only a protocol with schemas writes and reads. */
const needsSchema = (schema: NormalizedSchema): boolean => {
  const { sparse, mediaType, idempotencyToken } = schema.getMergedTraits()
  return (
    schema.isDocumentSchema() ||
    schema.isBigIntegerSchema() ||
    schema.isBigDecimalSchema() ||
    schema.isStreaming() ||
    [sparse, mediaType, idempotencyToken].some((trait) => trait !== undefined)
  )
}

describe('D82: what the JSON protocol leaves out', () => {
  test('the tests of the protocol know every operation that the functions call', async () => {
    expect(await operationsInLib()).toEqual(operations.map(([, , name]) => name).sort())
  })

  test('nobody calls an operation whose host has a prefix', () => {
    for (const [, , name, traits] of operations) {
      expect([name, typeof traits === 'object' && 'endpoint' in (traits ?? {})]).toEqual([
        name,
        false,
      ])
    }
  })

  test('documents, large numbers, streams, sparse lists and tokens that the SDK makes', () => {
    expect(inputs.length).toBeGreaterThan(100)
    expect(pathsOf([...inputs, ...outputs], needsSchema)).toEqual([])
  })

  test('times: no input has one, and nobody reads one of an output', () => {
    expect(pathsOf(inputs, (schema) => schema.isTimestampSchema())).toEqual([])
    expect(pathsOf(outputs, (schema) => schema.isTimestampSchema())).toEqual([
      'GetSecretValue.CreatedDate',
    ])
  })
})

const published = publishedClients()

/** The Regions that the SDK knows, of all partitions. A pseudo-Region such as `aws-global` is none. */
async function allRegions(): Promise<string[]> {
  const index = createRequire(import.meta.url).resolve('@aws-sdk/core/client')
  const folder = index.replace(/[\\/]dist-cjs[\\/].*/, '/dist-es/submodules/client')
  const text = await readFile(`${folder}/util-endpoints/lib/aws/partitions.js`, 'utf8')
  const { partitions } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  const regions = partitions.flatMap(({ regions }: { regions: object }) => Object.keys(regions))
  return regions.filter((region: string) => !region.endsWith('-global'))
}

test.each(Object.keys(published) as (keyof typeof published)[])(
  'D93: the endpoints of %s are those of the SDK in every Region, and in one that the SDK does not know',
  async (service) => {
    const endpointOf = published[service].config.endpointProvider
    const regions = [...(await allRegions()), 'eu-west-99', 'us-gov-west-9', 'cn-south-9', 'x']
    expect(regions.length).toBeGreaterThan(40)
    for (const Region of regions) {
      const { url } = endpointOf({ Region, UseDualStack: false, UseFIPS: false })
      expect(awsEndpoint(services[service].signingName, Region)).toEqual(url)
    }
  },
)
