import type * as v from 'valibot'
import type { Feature, Fields } from '../route.ts'

/** A named schema of the document, and the meaning of its fields. */
export interface SchemaDocumentation {
  schema: v.GenericSchema
  description: string
  fields?: Record<string, string>
  /** The names of the fields that only some deployments have. */
  needs?: Readonly<Partial<Record<Feature, readonly string[]>>>
}

/** An object schema with the meaning of each of its fields, and the names of those that only some deployments have. */
export const describedObject = <S extends Fields>(
  schema: S,
  description: string,
  fields: { [Name in keyof S['entries']]: string },
  needs: { readonly [Needed in Feature]?: readonly (keyof S['entries'] & string)[] } = {},
): SchemaDocumentation => ({ schema, description, fields, needs })
