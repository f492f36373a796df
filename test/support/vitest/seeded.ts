import fc from 'fast-check'

/** The seed of `npm test`, whose cases are the same in every run. */
const fixedSeed = 20_250_805

/**
 * Returns the seed that the variable SEED names, or the fixed one where it is not set. Throws if SEED is anything but a
 * whole number below 2^31, because fast-check takes the lowest 32 bits of others.
 */
export function seedFrom(variable: string | undefined): number {
  if (variable === undefined) return fixedSeed
  const given = Number(variable)
  if (!/^\d+$/.test(variable) || given >= 2 ** 31)
    throw new Error(`SEED is '${variable}', but must be a whole number below ${2 ** 31}.`)
  return given
}

/** The seed of all property tests. A failed test prints it with the failed case, so that the run can be repeated. */
export const seed = seedFrom(process.env['SEED'])

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
