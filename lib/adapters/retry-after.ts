/** The form in which servers write dates (RFC 9110 section 5.6.7). */
const dateForm = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** The value of a Retry-After header in whole seconds: a number or an HTTP date (RFC 9110 section 10.2.3). */
export function retryAfterSeconds(header = ''): number | undefined {
  const date = dateForm.test(header) ? Date.parse(header) : Number.NaN
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((date - Date.now()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(seconds, 0)
}
