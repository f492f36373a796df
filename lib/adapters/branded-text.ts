import * as v from 'valibot'

/**
 * The schema of a text that has a type of its own, such as the id of a product, in what the service has stored itself:
 * it was checked before it was stored, and is not checked again.
 */
export const brandedText = <Text extends string>(): v.GenericSchema<Text> =>
  v.string() as v.GenericSchema<string> as v.GenericSchema<Text>
