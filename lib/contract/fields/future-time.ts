import * as v from 'valibot'
import { documented, parsed, string } from './rules.ts'

const timeForm = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** A time after now (RFC 3339), read into UTC with milliseconds. */
export const futureTime = v.pipe(
  string('2027-01-31T12:00:00Z'),
  documented({ format: 'date-time' }),
  parsed((text, addFault) => {
    const time = timeForm.test(text) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(time)) return addFault('must be a time such as "2027-01-31T12:00:00Z"')
    return time > Date.now() ? new Date(time).toISOString() : addFault('must be in the future')
  }),
)
