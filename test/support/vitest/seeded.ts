import fc from 'fast-check'

/** One seed for all property tests, so that a failed run can be repeated; it prints the failed case. */
export const seed = 20_250_805

/** Any code point, including lone surrogates. `unit: 'binary'` builds a map of all of them, which takes 1.4 s of CPU time. */
const codePoint = fc.integer({ min: 0, max: 0x10_ff_ff }).map((code) => String.fromCodePoint(code))

/** Any text: half of the texts are ASCII, half contain any code points. */
export const anyText = (maxLength = 40): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength }),
    fc.string({ unit: codePoint, maxLength }),
  )

/** Checks a property with the common seed. */
export const check = <Values>(property: fc.IRawProperty<Values>, numRuns = 100): void =>
  fc.assert(property as fc.IProperty<Values>, { seed, numRuns })

/** Checks an asynchronous property with the common seed. */
export const checkAsync = <Values>(
  property: fc.IAsyncProperty<Values>,
  numRuns = 100,
): Promise<void> => fc.assert(property, { seed, numRuns })
