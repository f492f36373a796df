import * as v from 'valibot'

/**
 * The schema of a text that has a type of its own, such as the id of a product, in what the service has written itself:
 * it was checked before it was written, and is not checked again.
 */
export const written = <Text extends string>(): v.GenericSchema<Text> =>
  v.string() as v.GenericSchema<string> as v.GenericSchema<Text>
