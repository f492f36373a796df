import fc from 'fast-check'
import { jsonText, numberText } from './json-documents.ts'

interface Attribute {
  name: string
  value: string
}

/** JSON text, the attributes in it, and the number of entries in no known form. */
interface Form {
  text: string
  attributes: Attribute[]
  leftOut: number
}

const nothing = (text: string): Form => ({ text, attributes: [], leftOut: 0 })
const unknown = (text: string): Form => ({ ...nothing(text), leftOut: 1 })

const anyString = fc.string({ unit: 'grapheme', maxLength: 8 })
const someString = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
const quoted = (value: string) => ({ text: JSON.stringify(value), value })
const asText = (text: string) => ({ text, value: text })
const scalar = fc.oneof(
  anyString.map(quoted),
  numberText.map(asText),
  fc.constantFrom('true', 'false').map(asText),
)
const structure = jsonText.filter((text) => /^[[{]/.test(text)).map(asText)
const value = fc.oneof(scalar, structure)

/** A form, also as JSON in a text. */
const packable = (form: fc.Arbitrary<Form>): fc.Arbitrary<Form> =>
  fc
    .tuple(form, fc.constantFrom(undefined, '', ' ', '\n\t'))
    .map(([{ text, ...rest }, around]) =>
      around === undefined
        ? { text, ...rest }
        : { text: JSON.stringify(around + text + around), ...rest },
    )

const nameFields = ['name', 'trait_type', 'key'] as const
const noNames = ['""', 'null', '[]', '{"name":"inner"}']

/** `{name, value}`, `{trait_type, value}` or `{key, value}`, with names before it that are none, and members that say nothing. */
const knownEntry: fc.Arbitrary<Form> = fc
  .record({
    field: fc.constantFrom(0, 1, 2),
    others: fc.array(fc.constantFrom(...noNames), { minLength: 2, maxLength: 2 }),
    name: someString,
    value,
    isLast: fc.boolean(),
  })
  .map(({ field, others, name, value: { text, value }, isLast }) => {
    const before = nameFields.slice(0, field).map((other, index) => `"${other}":${others[index]}`)
    const after = nameFields.slice(field + 1).map((other) => `"${other}" : "not ${other}"`)
    const names = [...after, `"${nameFields[field]}": ${JSON.stringify(name)}`, ...before]
    const members = ['"display_type":null', ...names]
    const all = isLast ? [...members, `"value" :${text}`] : [`"value" :${text}`, ...members]
    return { text: `{${all.join(' ,')}}`, attributes: [{ name, value }], leftOut: 0 }
  })

const unknownEntry: fc.Arbitrary<Form> = fc
  .constantFrom(
    '{}',
    '{"value":"no name"}',
    '{"trait_type":"no value"}',
    '{"trait_type":"null","value":null}',
    '{"Hat":"Red"}',
    'null',
    '7',
    '"Hat"',
    '""',
    '"{\\"trait_type\\":\\"cut"',
    '"[\\"\\\\x\\"]"',
  )
  .map(unknown)

const entry = fc.oneof(packable(knownEntry), unknownEntry)
const tooDeep = fc.constantFrom('[]', '[{"name":"too deep","value":1}]', '[[[]]]').map(unknown)

const joined = (forms: readonly Form[], [open, close]: string): Form => ({
  text: `${open} ${forms.map(({ text }) => text).join(', ')} ${close}`,
  attributes: forms.flatMap(({ attributes }) => attributes),
  leftOut: forms.reduce((sum, { leftOut }) => sum + leftOut, 0),
})
const listOf = (form: fc.Arbitrary<Form>) =>
  fc.array(form, { maxLength: 4 }).map((forms) => joined(forms, '[]'))
const list = listOf(fc.oneof(entry, packable(listOf(fc.oneof(knownEntry, unknownEntry, tooDeep)))))

/** A value of an object of names and values; `undefined` where it has no known form. */
interface Member {
  text: string
  value: string | undefined
}
const noValue = fc.constant<Member>({ text: 'null', value: undefined })
const property = fc.oneof<fc.Arbitrary<Member>[]>(
  scalar,
  value.map(({ text, value }) => ({ text: `{"name":"not this","value":${text}}`, value })),
  noValue,
  fc
    .constantFrom('{}', '[]', '{"description":"Hat","type":"string"}', '{"value":null}', '[7]')
    .map((text) => ({ text, value: undefined })),
)
const objectOf = (member: fc.Arbitrary<Member>): fc.Arbitrary<Form> =>
  fc
    .uniqueArray(fc.tuple(fc.oneof(anyString, fc.constant('__proto__')), member), {
      selector: ([name]) => name,
      maxLength: 4,
    })
    .map((members) => {
      const forms = members.map(([name, { text, value }]) => {
        const member = `${JSON.stringify(name)}: ${text}`
        if (name === '' || value === undefined) return unknown(member)
        return { text: member, attributes: [{ name, value }], leftOut: 0 }
      })
      return joined(forms, '{}')
    })

/** A list or an object that ends too early, as text, and values that are neither. */
const broken = fc.oneof(
  list.chain(({ text }) =>
    fc
      .integer({ min: 1, max: text.length - 1 })
      .map((end) => unknown(JSON.stringify(text.slice(0, end)))),
  ),
  fc.constantFrom('7', '"Hat"', 'true', '"{\\"a\\":1}}"', '"\\"[]\\""').map(unknown),
  fc.constantFrom('null', '""', '" "', '[]', '{}', '"[]"', '[[]]').map(nothing),
)

const source = (member: fc.Arbitrary<Member>) =>
  fc.option(fc.oneof(packable(list), packable(objectOf(member)), broken), { nil: undefined })

/** A metadata document with attributes in any forms of docs/metadata.md and in none, and what is expected of it. */
export const metadataForms: fc.Arbitrary<Form> = fc
  .record({
    attributes: source(fc.oneof(value, noValue)),
    traits: source(fc.oneof(value, noValue)),
    properties: source(property),
    isReversed: fc.boolean(),
  })
  .map(({ isReversed, ...sources }) => {
    const given = Object.entries(sources).flatMap(([name, form]) => (form ? [{ name, form }] : []))
    const members = given.map(({ name, form }) => `"${name}" :${form.text}`)
    const text = `{${(isReversed ? members.reverse() : members).join(',')}}`
    const forms = given.map(({ form }) => form)
    const counts = forms.findIndex(({ attributes }) => attributes.length > 0)
    const read = counts < 0 ? forms : forms.slice(0, counts + 1)
    return { ...joined(read, '  '), text }
  })
