/** The token in the header Authorization (RFC 6750 section 2.1); `undefined` if there is none. */
export const bearerToken = (
  headers: Readonly<Record<string, string | undefined>>,
): string | undefined => headers['authorization']?.match(/^Bearer +(\S+) *$/i)?.[1]
