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

const timeForm = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

const example = '2027-01-31T12:00:00Z'

/** A time (RFC 3339), read into UTC with milliseconds. `check`: what is wrong with it, if anything is. */
const timeText = (check: (time: number) => string | undefined) =>
  v.pipe(
    string(example),
    documented({ format: 'date-time' }),
    parsed((text, addFault) => {
      const time = timeForm.test(text) ? Date.parse(text) : Number.NaN
      if (Number.isNaN(time)) return addFault(`must be a time such as "${example}"`)
      const fault = check(time)
      return fault === undefined ? new Date(time).toISOString() : addFault(fault)
    }),
  )

/** A time after now. */
export const futureTime = timeText((time) =>
  time > Date.now() ? undefined : 'must be in the future',
)

export const anyTime = timeText(() => undefined)
