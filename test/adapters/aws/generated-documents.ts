import { NormalizedSchema } from '@smithy/core/schema'
import fc from 'fast-check'
import { anyText } from '../../support/vitest/seeded.ts'

/** The name of a member that no service has. */
const unknownMember = 'memberThatNobodyKnows'

/** Names of tables, which have at least three characters. */
const tableNames = fc.stringMatching(/^[a-zA-Z_.-]{3,6}$/)

/** Names of attributes. Some are also names of members whose text is bytes. */
const attributeNames = fc.oneof(
  fc.constantFrom('B', 'BS', 'null', 'a b'),
  fc.stringMatching(/^[a-zA-Z#_.]{1,6}$/),
)

/** How deeply the attributes of DynamoDB are nested. */
const maxDepth = 3

/** Any document that the SDK reads with this schema, with members that are null or unknown. */
export function anyDocument(schema: unknown, depth = 0): fc.Arbitrary<unknown> {
  const shape = NormalizedSchema.of(schema as Parameters<typeof NormalizedSchema.of>[0])
  // Of an operation without an output.
  if (shape.isUnitSchema()) return fc.constantFrom({}, { [unknownMember]: 'text' })
  if (shape.isUnionSchema()) return anyUnion(shape, depth)
  if (shape.isStructSchema()) return anyStructure(shape, depth)
  if (shape.isListSchema())
    return fc.array(anyDocument(shape.getValueSchema(), depth), { maxLength: 3 })
  if (shape.isMapSchema()) return anyMap(shape.getValueSchema(), depth)
  if (shape.isBlobSchema())
    return fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64'))
  if (shape.isTimestampSchema())
    return fc.oneof(
      fc.nat(),
      fc.nat().map((time) => time / 1000),
    )
  if (shape.isNumericSchema())
    return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  if (shape.isBooleanSchema()) return fc.boolean()
  if (shape.isStringSchema()) return anyText(20)
  throw new Error(`${shape.getName(true)} has a kind that the protocol does not read`)
}

function anyMap(values: NormalizedSchema, depth: number): fc.Arbitrary<unknown> {
  const names = values.isUnionSchema() ? attributeNames : tableNames
  return fc.dictionary(names, anyDocument(values, depth), { maxKeys: 3 })
}

function anyStructure(shape: NormalizedSchema, depth: number): fc.Arbitrary<unknown> {
  const members = Array.from(shape.structIterator(), ([name, member]) => [
    name,
    fc.option(anyDocument(member, depth), { freq: 7 }),
  ])
  return fc.record(
    { ...Object.fromEntries(members), [unknownMember]: fc.constantFrom('text', 5, { B: 'AAE=' }) },
    { requiredKeys: [] },
  )
}

/** A union has exactly one member. Deep inside, it has no further unions. */
function anyUnion(shape: NormalizedSchema, depth: number): fc.Arbitrary<unknown> {
  const members = [...shape.structIterator()].filter(
    ([, member]) => depth < maxDepth || !(member.isListSchema() || member.isMapSchema()),
  )
  return fc.oneof(
    ...members.map(([name, member]) =>
      anyDocument(member, depth + 1).map((value) => ({ [name]: value })),
    ),
  )
}

/** What is left of an output of ours without members that the SDK does not know. */
export function withoutUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnknown)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  const known = Object.entries(value).filter(([name]) => name !== unknownMember)
  return Object.fromEntries(known.map(([name, member]) => [name, withoutUnknown(member)]))
}

/** An output of the SDK whose times are numbers of seconds, as they are sent. */
export function withTimesAsSent(value: unknown): unknown {
  if (value instanceof Date) return value.getTime() / 1000
  if (Array.isArray(value)) return value.map(withTimesAsSent)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withTimesAsSent(member)]),
  )
}
