import * as v from 'valibot'
import { codePointLength } from '../../domain/text.ts'

/** An action of a field with its keywords of JSON Schema, for the OpenAPI document. */
export interface Documented {
  readonly jsonSchema: Record<string, unknown>
}

/** A list whose items a later schema validates, for the OpenAPI document. */
export interface DocumentedList {
  readonly itemSchema: v.GenericSchema
}

/** A validation with its message, and the same validation as JSON Schema, as far as that can express it. */
export function rule<Input>(
  jsonSchema: Record<string, unknown>,
  holds: (input: Input) => boolean,
  message: string | ((input: Input) => string),
): v.CheckAction<Input, (issue: v.CheckIssue<Input>) => string> & Documented {
  const say = typeof message === 'string' ? () => message : message
  return Object.assign(
    v.check(holds, (issue: v.CheckIssue<Input>) => say(issue.input)),
    { jsonSchema },
  )
}

/** The JSON Schema of the {@link parsed} that follows: a conversion to JSON Schema ends before it. */
export const documented = (jsonSchema: Record<string, unknown>) =>
  Object.assign(v.metadata<string, Record<string, never>>({}), { jsonSchema })

/** Parses and validates a text in one step. `parse` returns the value, or the result of `addFault` with a message. */
export const parsed = <Output>(
  parse: (text: string, addFault: (message: string) => never) => Output,
): v.RawTransformAction<string, Output> =>
  v.rawTransform(({ dataset, addIssue, NEVER }) =>
    parse(dataset.value, (message) => {
      addIssue({ message })
      return NEVER
    }),
  )

/** Any text. A field that takes a certain form shows an example of it in the message. */
export const string = (example?: string) =>
  v.string(`must be a string${example === undefined ? '' : `, such as "${example}"`}`)

/** Text without lone surrogates (D4). */
export const wellFormed = rule<string>(
  {},
  (text) => text.isWellFormed(),
  'must be well-formed Unicode (it has a lone surrogate)',
)

/** Text of `minLength` to `maxLength` code points (D4). */
export const length = (minLength: number, maxLength: number) =>
  rule<string>(
    { minLength, maxLength },
    (text) => {
      const count = codePointLength(text)
      return count >= minLength && count <= maxLength
    },
    `must be ${minLength} to ${maxLength} characters long`,
  )
