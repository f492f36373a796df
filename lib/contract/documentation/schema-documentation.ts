import type * as v from 'valibot'
import type { Fields } from '../route.ts'

/** A named schema of the document, and the meaning of its fields. */
export interface SchemaDocumentation {
  schema: v.GenericSchema
  description: string
  fields?: Record<string, string>
}

/** An object schema with the meaning of each of its fields. */
export const describedObject = <S extends Fields>(
  schema: S,
  description: string,
  fields: { [Name in keyof S['entries']]: string },
): SchemaDocumentation => ({ schema, description, fields })

/** The same of a schema that has more fields, with their meaning. */
export const withFields = (
  described: SchemaDocumentation | undefined,
  schema: Fields,
  fields: Record<string, string>,
): SchemaDocumentation => ({
  schema,
  description: described?.description ?? '',
  fields: { ...described?.fields, ...fields },
})
