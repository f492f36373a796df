import fc from 'fast-check'

/** One seed for all property tests: a run that fails fails again, and prints its case. */
export const seed = 20_250_805

/** Checks a property with the common seed. */
export const check = <Values>(property: fc.IRawProperty<Values>, numRuns = 100): void =>
  fc.assert(property as fc.IProperty<Values>, { seed, numRuns })

/** Checks a property of something that takes time, with the common seed. */
export const checkAsync = <Values>(
  property: fc.IAsyncProperty<Values>,
  numRuns = 100,
): Promise<void> => fc.assert(property, { seed, numRuns })
