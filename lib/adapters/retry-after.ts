/** The value of a Retry-After header in whole seconds: a number or an HTTP date (RFC 9110 section 10.2.3). */
export function retryAfterSeconds(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\d+$/.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(seconds, 0)
}
