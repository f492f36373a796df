import * as v from 'valibot'
import { documented, parsed, rule, string } from './rules.ts'

/** A whole number in a body. */
export const wholeNumber = (minimum: number, maximum: number) =>
  v.pipe(
    v.number(`must be a whole number from ${minimum} to ${maximum}`),
    rule<number>(
      { type: 'integer', minimum, maximum },
      (number) => Number.isInteger(number) && number >= minimum && number <= maximum,
      `must be a whole number from ${minimum} to ${maximum}`,
    ),
  )

/** A whole number written in a query. */
export const count = (minimum: number, maximum: number) =>
  v.pipe(
    string(),
    documented({ type: 'integer', minimum, maximum }),
    parsed((digits, addFault) => {
      const number = /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN
      return number >= minimum && number <= maximum
        ? number
        : addFault(`must be a whole number from ${minimum} to ${maximum}`)
    }),
  )
